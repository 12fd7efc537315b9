/*
 * Reads every node of a GenICam description with the reference implementation of GenApi, over a port that its parent serves.
 *
 *   reference-nodes XML
 *
 * Standard output, a line each:
 *   read ADDRESS LENGTH           asks for register memory (hexadecimal address); the answer on standard input is the bytes as
 *                                 hexadecimal digits, or an empty line if they cannot be read
 *   log LEVEL TEXT                a message of the implementation, from warnings on
 *   node NAME ACCESS VALUE        a node: access mode, and what it reads as text; VALUE is empty for a node without one
 *   fault NAME TEXT               what reading a readable node threw
 *   end
 */
#include <GenICam.h>
#include <GenApi/EventPort.h>
#include <Log/CLog.h>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

using namespace GENICAM_NAMESPACE;
using namespace GENAPI_NAMESPACE;

/* One line of whatever text. */
static std::string line(const char *text)
{
    std::string out;
    for (; *text; text++)
        out += *text == '\n' || *text == '\r' ? ' ' : *text;
    return out;
}

class Messages : public ILogger
{
public:
    void Log(Priority level, const char *format, ...)
    {
        va_list arguments;
        va_start(arguments, format);
        LogVA(level, format, arguments);
        va_end(arguments);
    }
    void LogVA(Priority level, const char *format, va_list arguments)
    {
        if (level != WARN && level != ERR)
            return;
        char text[4096];
        vsnprintf(text, sizeof text, format, arguments);
        std::cout << "log " << (level == WARN ? "WARN " : "ERROR ") << line(text) << "\n";
    }
};

class AllMessages : public ILoggerFactory
{
    Messages messages;

public:
    gcstring GetLoggerFactoryName() { return "lines"; }
    void ConfigureFromString(gcstring) {}
    void ConfigureDefault() {}
    ILogger *GetLogger(gcstring) { return &messages; }
    bool Exist(gcstring) { return true; }
    void PushIndent() {}
    void PopIndent() {}
};

/* Register memory of the parent. */
class ParentPort : public IPort
{
public:
    EAccessMode GetAccessMode() const { return RW; }

    void Read(void *bytes, int64_t address, int64_t length)
    {
        std::cout << "read " << std::hex << address << std::dec << " " << length << std::endl;
        std::string answer;
        std::getline(std::cin, answer);
        if ((int64_t) answer.size() != 2 * length)
            throw ACCESS_EXCEPTION("the device does not read it");
        for (int64_t i = 0; i < length; i++)
            ((unsigned char *) bytes)[i] = (unsigned char) std::stoi(answer.substr(2 * i, 2), 0, 16);
    }

    void Write(const void *, int64_t, int64_t) { throw ACCESS_EXCEPTION("nothing is written here"); }
};

static void show(INode *node)
{
    static const char *const MODES[] = {"NI", "NA", "WO", "RO", "RW"};
    const gcstring name = node->GetName();
    try {
        EAccessMode mode = node->GetAccessMode();
        gcstring value;
        IValue *readable = dynamic_cast<IValue *>(node);
        bool valued = readable && !dynamic_cast<ICategory *>(node) && !dynamic_cast<ICommand *>(node)
            && !dynamic_cast<IEnumEntry *>(node);
        if (valued && IsReadable(mode))
            value = readable->ToString();
        std::cout << "node " << name.c_str() << " " << (mode <= RW ? MODES[mode] : "?") << " " << line(value.c_str()) << "\n";
    } catch (const GenericException &e) {
        std::cout << "fault " << name.c_str() << " " << line(e.GetDescription()) << "\n";
    }
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    CLog::SetLoggerFactory(*new AllMessages());
    std::ifstream file(arguments[1]);
    std::stringstream xml;
    xml << file.rdbuf();
    try {
        CNodeMapRef map;
        map._LoadXMLFromString(xml.str().c_str());
        ParentPort port;
        map._Connect(&port, "Device");
        NodeList_t nodes;
        map._GetNodes(nodes);
        for (NodeList_t::iterator node = nodes.begin(); node != nodes.end(); ++node)
            show(*node);
        std::cout << "end" << std::endl;
    } catch (const GenericException &e) {
        std::cout << "fault - " << line(e.GetDescription()) << std::endl;
        return 1;
    }
    return 0;
}
