/** A real white PNG of `width` by `height`. It is small: one bit a pixel, compressed. */
export async function pngImage(width: number, height: number): Promise<ArrayBuffer> {
  const row = Math.ceil(width / 8) + 1;
  const pixels = new Uint8Array(row * height).fill(0xff);
  for (let y = 0; y < height; y += 1) pixels[y * row] = 0;
  const compressed = new Uint8Array(
    await new Response(
      new Blob([pixels]).stream().pipeThrough(new CompressionStream("deflate")),
    ).arrayBuffer(),
  );
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([1, 0, 0, 0, 0], 8);
  const parts = [
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", compressed),
    chunk("IEND", new Uint8Array()),
  ];
  return await new Blob(parts).arrayBuffer();
}

function chunk(type: string, body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(12 + body.length);
  const view = new DataView(made.buffer);
  view.setUint32(0, body.length);
  made.set(new TextEncoder().encode(type), 4);
  made.set(body, 8);
  view.setUint32(8 + body.length, crc32(made.subarray(4, 8 + body.length)));
  return made;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
