import type { Page } from "playwright-core";

/** A real WEBM of about `seconds` that `page` draws and records: a square moves over brick red. */
export async function recordedWebm(page: Page, seconds = 2): Promise<Buffer<ArrayBuffer>> {
  const base64 = await page.evaluate(async (lengthMs) => {
    const canvas = document.createElement("canvas");
    canvas.width = 320;
    canvas.height = 180;
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    const draw = (at: number) => {
      context.fillStyle = "#d9532c";
      context.fillRect(0, 0, 320, 180);
      context.fillStyle = "#f2b632";
      context.fillRect((at / 10) % 280, 70, 40, 40);
    };
    draw(0);
    const recorder = new MediaRecorder(canvas.captureStream(25), {
      mimeType: "video/webm;codecs=vp8",
    });
    const chunks: Blob[] = [];
    recorder.addEventListener("dataavailable", (event) => chunks.push(event.data));
    const stopped = new Promise((resolve) => recorder.addEventListener("stop", resolve));
    recorder.start();
    const startedAt = performance.now();
    await new Promise<void>((resolve) => {
      const step = () => {
        const at = performance.now() - startedAt;
        draw(at);
        if (at < lengthMs) requestAnimationFrame(step);
        else resolve();
      };
      step();
    });
    recorder.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  }, seconds * 1_000);
  return Buffer.from(base64, "base64");
}
