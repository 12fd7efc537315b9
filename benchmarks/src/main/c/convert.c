/*
 * The same conversions as plain loops, to compare with. Reads commands of the form "NAME REPEATS", prints the CPU nanoseconds
 * that an image took and a checksum of the last result.
 *
 *   convert WIDTH HEIGHT SOURCE_FILE
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"

static int width, height;

static void mono12p(const uint8_t *in, uint16_t *out) {
    size_t pairs = (size_t)width * height / 2;
    for (size_t i = 0; i < pairs; i++) {
        out[0] = (uint16_t)(in[0] | (in[1] & 15) << 8);
        out[1] = (uint16_t)(in[1] >> 4 | in[2] << 4);
        in += 3;
        out += 2;
    }
}

static int mirrored(int at, int size) { return at < 0 ? -at : at >= size ? 2 * size - 2 - at : at; }

static void pixel(const uint8_t *in, uint8_t *out, int x, int y) {
    int left = mirrored(x - 1, width), right = mirrored(x + 1, width);
    const uint8_t *up = in + (size_t)mirrored(y - 1, height) * width;
    const uint8_t *own = in + (size_t)y * width;
    const uint8_t *down = in + (size_t)mirrored(y + 1, height) * width;
    int red = y % 2 == 0 ? 0 : 2;
    if (x % 2 == y % 2) {
        out[red] = own[x];
        out[1] = (uint8_t)((own[left] + own[right] + up[x] + down[x] + 2) >> 2);
        out[2 - red] = (uint8_t)((up[left] + up[right] + down[left] + down[right] + 2) >> 2);
    } else {
        out[1] = own[x];
        out[red] = (uint8_t)((own[left] + own[right] + 1) >> 1);
        out[2 - red] = (uint8_t)((up[x] + down[x] + 1) >> 1);
    }
}

static void bayer_rg8(const uint8_t *in, uint8_t *out) {
    for (int y = 0; y < height; y++) {
        uint8_t *to = out + (size_t)y * width * 3;
        if (y == 0 || y == height - 1) {
            for (int x = 0; x < width; x++) pixel(in, to + 3 * x, x, y);
            continue;
        }
        const uint8_t *own = in + (size_t)y * width, *up = own - width, *down = own + width;
        int first = y % 2 == 0 ? 2 : 1, red = y % 2 == 0 ? 0 : 2, blue = 2 - red;
        pixel(in, to, 0, y);
        if (first == 2) pixel(in, to + 3, 1, y);
        int x = first;
        for (; x + 2 < width; x += 2) {
            uint8_t *o = to + 3 * x;
            o[red] = own[x];
            o[1] = (uint8_t)((own[x - 1] + own[x + 1] + up[x] + down[x] + 2) >> 2);
            o[blue] = (uint8_t)((up[x - 1] + up[x + 1] + down[x - 1] + down[x + 1] + 2) >> 2);
            o[3 + red] = (uint8_t)((own[x] + own[x + 2] + 1) >> 1);
            o[4] = own[x + 1];
            o[3 + blue] = (uint8_t)((up[x + 1] + down[x + 1] + 1) >> 1);
        }
        for (; x < width; x++) pixel(in, to + 3 * x, x, y);
    }
}

static uint32_t checksum(const uint8_t *bytes, size_t count) {
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) sum = 31 * sum + bytes[i];
    return sum;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    width = atoi(argv[1]);
    height = atoi(argv[2]);
    size_t pixels = (size_t)width * height, most = pixels * 3;
    uint8_t *in = calloc(most, 1), *out = calloc(most, 1);
    FILE *file = fopen(argv[3], "rb");
    if (!in || !out || !file || fread(in, 1, pixels * 3 / 2, file) != pixels * 3 / 2) return 1;
    fclose(file);
    char name[32];
    int repeats;
    while (scanf("%31s %d", name, &repeats) == 2) {
        int bayer = strcmp(name, "BayerRG8") == 0;
        int64_t start = cpu_nanos();
        for (int i = 0; i < repeats; i++) {
            if (bayer) bayer_rg8(in, out);
            else mono12p(in, (uint16_t *)out);
            __asm__ volatile("" : : "r"(out) : "memory");
        }
        int64_t took = (cpu_nanos() - start) / repeats;
        printf("%lld %u\n", (long long)took, checksum(out, bayer ? pixels * 3 : pixels * 2));
        fflush(stdout);
    }
    return 0;
}
