import { readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

// The smallest workerd worker: one handler that answers the bytes of BENCH_BODY.
const body = readFileSync(process.env.BENCH_BODY ?? "", "utf8");
const port = Number(process.env.PORT);
const script = `const body = new TextEncoder().encode(${JSON.stringify(body)});
export default { fetch: () => new Response(body, { headers: { "Content-Type": "text/html; charset=utf-8" } }) };`;
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    host: "localhost",
    port,
    cf: false,
    workers: [{ name: "bare", modules: true, script, compatibilityDate: "2026-10-01" }],
  }),
);
await miniflare.ready;
console.log("bare server ready");
