/*
 * The reference implementation of GenApi, driven by commands on standard input. A command is a line, its words are separated by a
 * blank; each is answered by a line, or by "refused TEXT":
 *
 *   load FILE            loads a GenICam XML                                              -> loaded
 *   port CONTENT         makes a new node map over registers of a content                 -> connected
 *   become CONTENT       the device changes all registers by itself                       -> became
 *   poke ADDRESS BYTES   the device changes some registers by itself                      -> poked
 *   dump                 every property of every node                                     -> a line for each node, then "."
 *   properties STEP      what the description gives every STEP-th node, by name           -> a line for each node, then "."
 *   show NODE            every property of one node                                       -> a line for the node
 *   set NODE VALUE       writes, and reports what was written                             -> wrote PLACES
 *   poll MILLISECONDS    time passes                                                      -> polled
 *   undo                 takes back what was written or changed; all nodes forget values  -> undone
 *
 * The content is zero, one (a big-endian 1 in every word), hash (of the address), or parent. With parent, these lines can come
 * before an answer:
 *
 *   read ADDRESS LENGTH  asks for register memory; the next line of standard input has the bytes, or is empty if they cannot be read
 *   log LEVEL TEXT       a message of the implementation, a warning or an error
 *
 * Bytes are hexadecimal digits, addresses are hexadecimal, PLACES are ADDRESS:BYTES separated by blanks. The line of a node has
 * cells separated by tabs: its name, then PROPERTY=VALUE. A VALUE that begins with "!" says why there is none. A float is written as
 * its bits, hexadecimal after "0x". The VALUE of "set" is a number, a symbol, 0 or 1, or the bytes of a text or a register.
 */
#include <GenICam.h>
#include <GenApi/NodeMapFactory.h>
#include <Log/CLog.h>
#include <cinttypes>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace GENICAM_NAMESPACE;
using namespace GENAPI_NAMESPACE;

/* Longer ones are not shown. */
static const int64_t LONGEST_REGISTER = 1024;

/* The implementation passes on whatever length registers tell it, whether its buffer is that long or not. */
static const int64_t LONGEST_ACCESS = 1 << 20;

/* One line of whatever text: what is not printable ASCII, and the backslash, as \xHH. */
static std::string line(const char *text)
{
    static const char DIGITS[] = "0123456789abcdef";
    std::string out;
    for (; *text; text++) {
        unsigned char c = (unsigned char) *text;
        if (c < ' ' || c > '~' || c == '\\')
            out.append("\\x").append(1, DIGITS[c >> 4]).append(1, DIGITS[c & 15]);
        else
            out += *text;
    }
    return out;
}

static std::string hex(const uint8_t *bytes, size_t length)
{
    static const char DIGITS[] = "0123456789abcdef";
    std::string out;
    for (size_t i = 0; i < length; i++)
        out.append(1, DIGITS[bytes[i] >> 4]).append(1, DIGITS[bytes[i] & 15]);
    return out;
}

static std::vector<uint8_t> bytes(const std::string &digits)
{
    std::vector<uint8_t> out(digits.size() / 2);
    for (size_t i = 0; i < out.size(); i++)
        out[i] = (uint8_t) strtoul(digits.substr(2 * i, 2).c_str(), 0, 16);
    return out;
}

static std::string number(int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    return text;
}

static std::string number(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    char text[32];
    snprintf(text, sizeof text, "0x%016" PRIx64, bits);
    return text;
}

class Messages : public ILogger
{
public:
    bool shown;

    Messages() : shown(false) {}
    void Log(Priority level, const char *format, ...)
    {
        va_list arguments;
        va_start(arguments, format);
        LogVA(level, format, arguments);
        va_end(arguments);
    }
    void LogVA(Priority level, const char *format, va_list arguments)
    {
        if (!shown || (level != WARN && level != ERR))
            return;
        char text[4096];
        vsnprintf(text, sizeof text, format, arguments);
        std::cout << "log " << (level == WARN ? "WARN " : "ERROR ") << line(text) << "\n";
    }
};

class AllMessages : public ILoggerFactory
{
public:
    Messages messages;

    gcstring GetLoggerFactoryName() { return "lines"; }
    void ConfigureFromString(gcstring) {}
    void ConfigureDefault() {}
    ILogger *GetLogger(gcstring) { return &messages; }
    bool Exist(gcstring) { return true; }
    void PushIndent() {}
    void PopIndent() {}
};

/* Register memory: a content, and what was written over it. */
class Registers : public IPort
{
    std::string content;
    std::map<int64_t, uint8_t> written;

    uint8_t original(int64_t address) const
    {
        if (content == "one")
            return (address & 3) == 3;
        if (content != "hash")
            return 0;
        uint64_t h = (uint64_t) address * 0x9E3779B97F4A7C15ULL;
        h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ULL;
        return (uint8_t) (h >> 56);
    }

    void ask(uint8_t *out, int64_t address, int64_t length) const
    {
        std::cout << "read " << std::hex << address << std::dec << " " << length << std::endl;
        std::string answer;
        std::getline(std::cin, answer);
        if ((int64_t) answer.size() != 2 * length)
            throw ACCESS_EXCEPTION("the device does not read it");
        std::vector<uint8_t> read = bytes(answer);
        memcpy(out, read.data(), read.size());
    }

public:
    std::string log;

    void become(const std::string &name)
    {
        content = name;
        undo();
    }
    void undo()
    {
        written.clear();
        log.clear();
    }
    void poke(int64_t address, const std::vector<uint8_t> &values)
    {
        for (size_t i = 0; i < values.size(); i++)
            written[address + (int64_t) i] = values[i];
    }

    EAccessMode GetAccessMode() const { return RW; }

    void Read(void *out, int64_t address, int64_t length)
    {
        if (length > LONGEST_ACCESS)
            throw ACCESS_EXCEPTION("no register is that long");
        uint8_t *to = (uint8_t *) out;
        if (content == "parent")
            return ask(to, address, length);
        for (int64_t i = 0; i < length; i++) {
            std::map<int64_t, uint8_t>::const_iterator over = written.empty() ? written.end() : written.find(address + i);
            to[i] = over == written.end() ? original(address + i) : over->second;
        }
    }

    void Write(const void *in, int64_t address, int64_t length)
    {
        if (content == "parent")
            throw ACCESS_EXCEPTION("nothing is written here");
        const uint8_t *from = (const uint8_t *) in;
        poke(address, std::vector<uint8_t>(from, from + length));
        char place[32];
        snprintf(place, sizeof place, " %" PRIx64 ":", address);
        log += place + hex(from, (size_t) length);
    }
};

/* Cells of one node. */
class Row
{
    std::string cells;

public:
    explicit Row(const std::string &name) : cells(name) {}

    template <class Getter> void add(const char *property, Getter getter)
    {
        std::string value;
        try {
            value = getter();
        } catch (const GenericException &e) {
            value = "!" + line(e.GetDescription());
        } catch (const std::exception &e) {
            value = std::string("!") + line(e.what());
        }
        cells.append("\t").append(property).append("=").append(value);
    }
    const std::string &text() const { return cells; }
};

static std::string accessMode(EAccessMode mode)
{
    static const char *const NAMES[] = {"NI", "NA", "WO", "RO", "RW"};
    return mode <= RW ? NAMES[mode] : "?";
}

static std::string names(const NodeList_t &nodes)
{
    std::string out;
    for (size_t i = 0; i < nodes.size(); i++)
        out.append(i ? " " : "").append(nodes[i]->GetName().c_str());
    return out;
}

static std::string names(const FeatureList_t &features)
{
    std::string out;
    for (size_t i = 0; i < features.size(); i++)
        out.append(i ? " " : "").append(features[i]->GetNode()->GetName().c_str());
    return out;
}

static std::string name(INode *node) { return node ? node->GetName().c_str() : ""; }

template <class Numbers> static std::string listed(const Numbers &values)
{
    std::string out;
    for (size_t i = 0; i < values.size(); i++)
        out.append(i ? " " : "").append(number(values[i]));
    return out;
}

static std::string representation(ERepresentation value)
{
    static const char *const NAMES[] = {
        "Linear", "Logarithmic", "Boolean", "PureNumber", "HexNumber", "IPV4Address", "MACAddress", ""};
    return NAMES[value];
}

static std::string incrementMode(EIncMode mode)
{
    static const char *const NAMES[] = {"none", "fixed", "list"};
    return NAMES[mode];
}

static void addCommon(Row &row, INode *node)
{
    static const char *const TYPES[] = {"Value", "Base", "Integer", "Boolean", "Command", "Float", "String", "Register",
        "Category", "Enumeration", "EnumEntry", "Port"};
    static const char *const CACHING[] = {"NO_CACHE", "WRITE_THROUGH", "WRITE_AROUND", ""};
    static const char *const VISIBILITIES[] = {"BEGINNER", "EXPERT", "GURU", "INVISIBLE"};
    row.add("type", [&] { return std::string(TYPES[node->GetPrincipalInterfaceType()]); });
    row.add("access", [&] { return accessMode(node->GetAccessMode()); });
    row.add("visibility", [&] { return std::string(VISIBILITIES[node->GetVisibility()]); });
    row.add("caching", [&] { return std::string(CACHING[node->GetCachingMode()]); });
    row.add("standard", [&] { return std::string(node->GetNameSpace() == Standard ? "1" : "0"); });
    row.add("streamable", [&] { return std::string(node->IsStreamable() ? "1" : "0"); });
    row.add("feature", [&] { return std::string(node->IsFeature() ? "1" : "0"); });
    row.add("deprecated", [&] { return std::string(node->IsDeprecated() ? "1" : "0"); });
    row.add("pollingTime", [&] { return number(node->GetPollingTime()); });
    row.add("eventId", [&] { return std::string(node->GetEventID().c_str()); });
    row.add("docuUrl", [&] { return line(node->GetDocuURL().c_str()); });
    row.add("toolTip", [&] { return line(node->GetToolTip().c_str()); });
    row.add("description", [&] { return line(node->GetDescription().c_str()); });
    row.add("displayName", [&] { return line(node->GetDisplayName().c_str()); });
    row.add("alias", [&] { return name(node->GetAlias()); });
    row.add("castAlias", [&] { return name(node->GetCastAlias()); });
    if (ISelector *selector = dynamic_cast<ISelector *>(node)) {
        FeatureList_t selected, selecting;
        row.add("selected", [&] { selector->GetSelectedFeatures(selected); return names(selected); });
        row.add("selecting", [&] { selector->GetSelectingFeatures(selecting); return names(selecting); });
    }
}

/* What the description gives for a node; not what the implementation keeps beside it, such as a list of all that depends on it. */
static Row properties(INode *node)
{
    Row row(node->GetName().c_str());
    gcstring_vector names;
    node->GetPropertyNames(names);
    for (size_t i = 0; i < names.size(); i++) {
        const std::string property = names[i].c_str();
        if (property == "pDependent" || property == "pTerminal" || property == "pSelecting")
            continue;
        row.add(property.c_str(), [&] {
            gcstring value, attribute;
            if (!node->GetProperty(names[i], value, attribute))
                throw RUNTIME_EXCEPTION("no such property");
            return line(value.c_str());
        });
    }
    return row;
}

static void addInteger(Row &row, IInteger *integer)
{
    row.add("int.value", [&] { return number(integer->GetValue()); });
    row.add("int.min", [&] { return number(integer->GetMin()); });
    row.add("int.max", [&] { return number(integer->GetMax()); });
    row.add("int.incMode", [&] { return incrementMode(integer->GetIncMode()); });
    row.add("int.inc", [&] { return number(integer->GetInc()); });
    row.add("int.valid", [&] { return listed(integer->GetListOfValidValues()); });
    row.add("int.representation", [&] { return representation(integer->GetRepresentation()); });
    row.add("unit", [&] { return line(integer->GetUnit().c_str()); });
}

static void addFloat(Row &row, IFloat *floating)
{
    static const char *const NOTATIONS[] = {"Automatic", "Fixed", "Scientific", ""};
    row.add("float.value", [&] { return number(floating->GetValue()); });
    row.add("float.min", [&] { return number(floating->GetMin()); });
    row.add("float.max", [&] { return number(floating->GetMax()); });
    row.add("float.incMode", [&] { return incrementMode(floating->GetIncMode()); });
    row.add("float.inc", [&] { return floating->HasInc() ? number(floating->GetInc()) : std::string(); });
    row.add("float.valid", [&] { return listed(floating->GetListOfValidValues()); });
    row.add("float.representation", [&] { return representation(floating->GetRepresentation()); });
    row.add("unit", [&] { return line(floating->GetUnit().c_str()); });
    row.add("float.notation", [&] { return std::string(NOTATIONS[floating->GetDisplayNotation()]); });
    row.add("float.precision", [&] { return number(floating->GetDisplayPrecision()); });
}

static void addEnumeration(Row &row, IEnumeration *enumeration)
{
    row.add("enum.symbols", [&] {
        StringList_t symbols;
        enumeration->GetSymbolics(symbols);
        std::string out;
        for (size_t i = 0; i < symbols.size(); i++)
            out.append(i ? " " : "").append(symbols[i].c_str());
        return out;
    });
    row.add("enum.entries", [&] { NodeList_t entries; enumeration->GetEntries(entries); return names(entries); });
    row.add("enum.int", [&] { return number(enumeration->GetIntValue()); });
    row.add("enum.current", [&] {
        IEnumEntry *entry = enumeration->GetCurrentEntry();
        return std::string(entry ? entry->GetSymbolic().c_str() : "!no entry");
    });
}

static void addRegister(Row &row, IRegister *reg)
{
    row.add("reg.address", [&] { return number(reg->GetAddress()); });
    row.add("reg.length", [&] { return number(reg->GetLength()); });
    row.add("reg.bytes", [&] {
        int64_t length = reg->GetLength();
        if (length < 0 || length > LONGEST_REGISTER)
            return std::string("long");
        std::vector<uint8_t> value((size_t) length);
        reg->Get(value.data(), length);
        return hex(value.data(), value.size());
    });
}

static Row describe(INode *node)
{
    Row row(node->GetName().c_str());
    addCommon(row, node);
    if (ICategory *category = dynamic_cast<ICategory *>(node)) {
        row.add("features", [&] { FeatureList_t features; category->GetFeatures(features); return names(features); });
        return row;
    }
    if (ICommand *command = dynamic_cast<ICommand *>(node)) {
        row.add("done", [&] { return std::string(command->IsDone() ? "1" : "0"); });
        return row;
    }
    if (IEnumEntry *entry = dynamic_cast<IEnumEntry *>(node)) {
        row.add("entry.value", [&] { return number(entry->GetValue()); });
        row.add("entry.symbol", [&] { return std::string(entry->GetSymbolic().c_str()); });
        row.add("entry.number", [&] { return number(entry->GetNumericValue()); });
        row.add("entry.selfClearing", [&] { return std::string(entry->IsSelfClearing() ? "1" : "0"); });
        return row;
    }
    if (IInteger *integer = dynamic_cast<IInteger *>(node))
        addInteger(row, integer);
    if (IFloat *floating = dynamic_cast<IFloat *>(node))
        addFloat(row, floating);
    if (IEnumeration *enumeration = dynamic_cast<IEnumeration *>(node))
        addEnumeration(row, enumeration);
    if (IBoolean *boolean = dynamic_cast<IBoolean *>(node))
        row.add("bool.value", [&] { return std::string(boolean->GetValue() ? "1" : "0"); });
    if (IString *text = dynamic_cast<IString *>(node)) {
        row.add("string.value", [&] { return line(text->GetValue().c_str()); });
        row.add("string.maxLength", [&] { return number(text->GetMaxLength()); });
    }
    if (IRegister *reg = dynamic_cast<IRegister *>(node))
        addRegister(row, reg);
    if (IValue *value = dynamic_cast<IValue *>(node)) {
        row.add("text", [&] { return line(value->ToString().c_str()); });
        row.add("cached", [&] { return std::string(value->IsValueCacheValid() ? "1" : "0"); });
    }
    return row;
}

/* The implementation divides by increments of zero. */
static sigjmp_buf beforeWrite;

static void crashed(int) { siglongjmp(beforeWrite, 1); }

static void write(INode *node, const std::string &value)
{
    if (sigsetjmp(beforeWrite, 1))
        throw RUNTIME_EXCEPTION("divided by zero");

    if (ICommand *command = dynamic_cast<ICommand *>(node))
        command->Execute();
    else if (IEnumeration *enumeration = dynamic_cast<IEnumeration *>(node))
        *enumeration = gcstring(value.c_str());
    else if (IBoolean *boolean = dynamic_cast<IBoolean *>(node))
        boolean->SetValue(value == "1");
    else if (IInteger *integer = dynamic_cast<IInteger *>(node))
        integer->SetValue(strtoll(value.c_str(), 0, 10));
    else if (IFloat *floating = dynamic_cast<IFloat *>(node)) {
        uint64_t bits = strtoull(value.c_str(), 0, 16);
        double number;
        memcpy(&number, &bits, sizeof number);
        floating->SetValue(number);
    } else if (IString *text = dynamic_cast<IString *>(node)) {
        std::vector<uint8_t> characters = bytes(value);
        text->SetValue(gcstring((const char *) characters.data(), characters.size()));
    } else if (IRegister *reg = dynamic_cast<IRegister *>(node)) {
        std::vector<uint8_t> content = bytes(value);
        reg->Set(content.data(), (int64_t) content.size());
    } else
        throw RUNTIME_EXCEPTION("nothing to write");
}

class Server
{
    AllMessages *messages;
    std::string xml;
    std::unique_ptr<CNodeMapFactory> factory;
    std::unique_ptr<CNodeMapRef> map;
    Registers registers;

    /* Ports of chunks and events. */
    static bool filledLater(INode *port)
    {
        gcstring value, attribute;
        return port->GetProperty("ChunkID", value, attribute) || port->GetProperty("pChunkID", value, attribute)
            || port->GetProperty("EventID", value, attribute);
    }

    void load(const std::string &path)
    {
        map.reset();
        factory.reset();
        std::ifstream file(path.c_str());
        std::stringstream content;
        content << file.rdbuf();
        xml = content.str();
        std::unique_ptr<CNodeMapFactory> loading(
            new CNodeMapFactory(ContentType_Xml, xml.data(), xml.size(), CacheUsage_Ignore));
        CNodeMapRef trial(loading->CreateNodeMap());
        factory.swap(loading);
        std::cout << "loaded\n";
    }

    void connect(const std::string &content)
    {
        messages->messages.shown = content == "parent";
        registers.become(content);
        map.reset();
        if (!factory)
            throw RUNTIME_EXCEPTION("nothing is loaded");
        map.reset(new CNodeMapRef(factory->CreateNodeMap()));
        NodeList_t nodes;
        map->_GetNodes(nodes);
        for (NodeList_t::iterator node = nodes.begin(); node != nodes.end(); ++node) {
            if ((*node)->GetPrincipalInterfaceType() == intfIPort && !filledLater(*node))
                map->_Connect(&registers, (*node)->GetName());
        }
    }

    INode *node(const std::string &name)
    {
        INode *found = map->_GetNode(name.c_str());
        if (!found)
            throw RUNTIME_EXCEPTION("no node %s", name.c_str());
        return found;
    }

    void rows(Row (*row)(INode *), size_t step)
    {
        NodeList_t nodes;
        map->_GetNodes(nodes);
        for (size_t i = 0; i < nodes.size(); i += step)
            std::cout << row(nodes[i]).text() << "\n";
        std::cout << ".\n";
    }

    void obey(const std::string &command, std::istream &words)
    {
        std::string first, second;
        if (command == "load") {
            std::getline(words >> std::ws, first);
            load(first);
            return;
        }
        words >> first >> second;
        if (command == "port") {
            connect(first);
            std::cout << "connected\n";
            return;
        }
        if (!map)
            throw RUNTIME_EXCEPTION("nothing is connected");
        if (command == "dump")
            rows(describe, 1);
        else if (command == "properties")
            rows(properties, strtoul(first.c_str(), 0, 10));
        else if (command == "show")
            std::cout << describe(node(first)).text() << "\n";
        else if (command == "set") {
            registers.log.clear();
            write(node(first), second);
            std::cout << "wrote" << registers.log << "\n";
        } else if (command == "undo") {
            registers.undo();
            map->_InvalidateNodes();
            std::cout << "undone\n";
        } else if (command == "become") {
            registers.become(first);
            std::cout << "became\n";
        } else if (command == "poke") {
            registers.poke((int64_t) strtoull(first.c_str(), 0, 16), bytes(second));
            std::cout << "poked\n";
        } else if (command == "poll") {
            map->_Poll(strtoll(first.c_str(), 0, 10));
            std::cout << "polled\n";
        } else
            throw RUNTIME_EXCEPTION("no command %s", command.c_str());
    }

public:
    explicit Server(AllMessages *log) : messages(log) {}

    void serve()
    {
        std::string text;
        while (std::getline(std::cin, text)) {
            std::istringstream words(text);
            std::string command;
            words >> command;
            try {
                obey(command, words);
            } catch (const GenericException &e) {
                std::cout << "refused " << line(e.GetDescription()) << "\n";
            } catch (const std::exception &e) {
                std::cout << "refused " << line(e.what()) << "\n";
            }
            if (std::cin.rdbuf()->in_avail() <= 0)
                std::cout.flush();
        }
    }
};

int main()
{
    std::ios::sync_with_stdio(false);
    std::cin.tie(0);
    signal(SIGFPE, crashed);
    AllMessages *messages = new AllMessages();
    CLog::SetLoggerFactory(*messages);
    Server(messages).serve();
    return 0;
}
