/* Writes a PNG file of 8-bit colours from a palette, uncompressed: as little as the format allows.
 * https://www.w3.org/TR/png/ */
#ifndef PNG_H
#define PNG_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline uint32_t png_crc(uint32_t crc, const uint8_t* bytes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return crc;
}

static inline void png_number(uint8_t* bytes, uint32_t number) {
  for (int i = 0; i < 4; ++i) bytes[i] = (uint8_t)(number >> (24 - 8 * i));
}

/* Length, type, content, checksum of type and content. */
static inline void png_chunk(FILE* file, const char* type, const uint8_t* bytes, size_t count) {
  uint8_t head[8], tail[4];
  png_number(head, (uint32_t)count);
  memcpy(head + 4, type, 4);
  png_number(tail, ~png_crc(png_crc(~0u, head + 4, 4), bytes, count));
  fwrite(head, 1, 8, file);
  fwrite(bytes, 1, count, file);
  fwrite(tail, 1, 4, file);
}

/* Each row is a chunk with one stored (not compressed) block of zlib's format: a filter byte 0 and
 * the row's pixels. Returns 0, or -1 if the file cannot be written. */
static inline int png_write(const char* path, int width, int height, const uint8_t* pixels,
                            const uint8_t palette[256][3]) {
  FILE* file = fopen(path, "wb");
  if (file == NULL) return -1;
  fwrite("\x89PNG\r\n\x1a\n", 1, 8, file);
  uint8_t header[13] = {0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0}; /* 8 bits, palette */
  png_number(header, (uint32_t)width);
  png_number(header + 4, (uint32_t)height);
  png_chunk(file, "IHDR", header, sizeof header);
  png_chunk(file, "PLTE", palette[0], 3 * 256);
  png_chunk(file, "IDAT", (const uint8_t*)"\x78\x01", 2);
  uint32_t a = 1, b = 0; /* Adler-32 */
  static uint8_t block[6 + 65535];
  for (int y = 0; y < height; ++y) {
    int length = width + 1;
    uint8_t start[6] = {y == height - 1,  (uint8_t)length,         (uint8_t)(length >> 8),
                        (uint8_t)~length, (uint8_t)(~length >> 8), 0};
    memcpy(block, start, sizeof start);
    memcpy(block + 6, pixels + (size_t)y * width, width);
    for (int i = 5; i < 6 + width; ++i) b = (b + (a = (a + block[i]) % 65521)) % 65521;
    png_chunk(file, "IDAT", block, 6 + width);
  }
  uint8_t sum[4];
  png_number(sum, b << 16 | a);
  png_chunk(file, "IDAT", sum, 4);
  png_chunk(file, "IEND", sum, 0);
  int failed = ferror(file);
  return fclose(file) != 0 || failed ? -1 : 0;
}

#endif
