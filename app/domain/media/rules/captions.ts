import { LARGEST_CAPTIONS_BYTES } from "./limits.ts";

const CUES_MAX = 20_000;
const TIME = String.raw`(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})`;
const CUE = new RegExp(`^${TIME}[ \\t]+-->[ \\t]+${TIME}(?:[ \\t].*)?$`);
const NOT_VTT = "As legendas precisam ser um arquivo VTT, que começa com WEBVTT.";

/**
 * Returns why `text` is not a valid captions file, as a message for its sender, or null. Source:
 * WebVTT, W3C, section 4.
 */
export function captionsProblem(text: string): string | null {
  if (new TextEncoder().encode(text).byteLength > LARGEST_CAPTIONS_BYTES)
    return "As legendas precisam ter até 1 MB.";
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  if (!/^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? "")) return NOT_VTT;
  let cues = 0;
  for (const [index, line] of lines.entries()) {
    if (!line.includes("-->")) continue;
    const problem = cueProblem(line);
    if (problem) return `Linha ${index + 1}: ${problem}`;
    cues += 1;
    if (cues > CUES_MAX) return `Use até ${CUES_MAX.toLocaleString("pt-BR")} legendas por arquivo.`;
  }
  return cues > 0 ? null : "O arquivo não tem nenhuma legenda.";
}

function cueProblem(line: string): string | null {
  const times = CUE.exec(line.trim());
  if (!times) return "o tempo precisa ser como 00:01.000 --> 00:04.000.";
  const [start, end] = [milliseconds(times.slice(1, 5)), milliseconds(times.slice(5, 9))];
  return end > start ? null : "a legenda termina antes de começar.";
}

function milliseconds([hours = "0", minutes = "0", seconds = "0", thousandths = "0"]: (
  | string
  | undefined
)[]): number {
  return (
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + Number(thousandths)
  );
}
