/*
 * What the reference implementation of GenApi takes, for GenApiCompareMain, which adds the nodes Benchmark* to the XML.
 *
 *   genapi-reference XML
 *
 * Standard input: one measurement a line, "NAME COUNT". Standard output: a line each, nanoseconds of the thread's processor
 * for one of COUNT operations; for "memory" bytes for one of COUNT node maps; for "first" the wall-clock time of one load as
 * well, before that of the processor.
 */
#include <GenICam.h>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <malloc.h>
#include <sstream>
#include <string>
#include <vector>

using namespace GENICAM_NAMESPACE;
using namespace GENAPI_NAMESPACE;

class MemoryPort : public IPort
{
    std::vector<char> bytes;

public:
    MemoryPort() : bytes(1 << 20) {}
    EAccessMode GetAccessMode() const { return RW; }
    void Read(void *to, int64_t address, int64_t length) { memcpy(to, bytes.data() + (address & 0xFFFF), length); }
    void Write(const void *from, int64_t address, int64_t length) { memcpy(bytes.data() + (address & 0xFFFF), from, length); }
};

static double nanos(clockid_t clock)
{
    timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static CNodeMapRef *load(const std::string &xml, MemoryPort &port)
{
    CNodeMapRef *map = new CNodeMapRef();
    map->_LoadXMLFromString(xml.c_str());
    map->_Connect(&port, "BenchmarkPort");
    return map;
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    std::ifstream file(arguments[1]);
    std::stringstream text;
    text << file.rdbuf();
    const std::string xml = text.str();
    MemoryPort port;
    CNodeMapRef *map = 0;
    volatile double sum = 0;
    std::string name;
    int n;
    try {
        while (std::cin >> name >> n) {
            double begin = nanos(CLOCK_THREAD_CPUTIME_ID), result = 0;
            if (name == "first") {
                double wall = nanos(CLOCK_MONOTONIC);
                map = load(xml, port);
                wall = nanos(CLOCK_MONOTONIC) - wall;
                std::cout << wall << " " << nanos(CLOCK_THREAD_CPUTIME_ID) - begin << std::endl;
                continue;
            } else if (name == "load") {
                for (int i = 0; i < n; i++)
                    delete load(xml, port);
                result = (nanos(CLOCK_THREAD_CPUTIME_ID) - begin) / n;
            } else if (name == "memory") {
                std::vector<CNodeMapRef *> maps;
                int before = mallinfo().uordblks + mallinfo().hblkhd;
                for (int i = 0; i < n; i++)
                    maps.push_back(load(xml, port));
                result = (double) (mallinfo().uordblks + mallinfo().hblkhd - before) / n;
                for (int i = 0; i < n; i++)
                    delete maps[i];
            } else {
                if (!map)
                    map = load(xml, port);
                CIntegerPtr integer = map->_GetNode("BenchmarkInteger");
                CIntegerPtr uncached = map->_GetNode("BenchmarkUncached");
                CFloatPtr knife = map->_GetNode("BenchmarkKnife");
                CFloatPtr deep = map->_GetNode("BenchmarkDeep");
                CIntegerPtr feature = map->_GetNode("BenchmarkFeature");
                begin = nanos(CLOCK_THREAD_CPUTIME_ID);
                for (int i = 0; i < n; i++) {
                    if (name == "cached")
                        sum += integer->GetValue();
                    else if (name == "uncached")
                        sum += uncached->GetValue();
                    else if (name == "write")
                        integer->SetValue(i & 0xFF);
                    else if (name == "knife")
                        sum += knife->GetValue();
                    else if (name == "access")
                        sum += integer->GetAccessMode();
                    else if (name == "deep")
                        sum += deep->GetValue();
                    else if (name == "feature")
                        sum += feature->GetAccessMode();
                    else if (name == "written") {
                        integer->SetValue(i & 0xFF);
                        sum += deep->GetValue();
                    }
                }
                result = (nanos(CLOCK_THREAD_CPUTIME_ID) - begin) / n;
            }
            std::cout << result << std::endl;
        }
    } catch (const GenericException &e) {
        std::cerr << e.GetDescription() << std::endl;
        return 1;
    }
    return 0;
}
