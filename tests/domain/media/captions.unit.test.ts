import { expect, test } from "vitest";
import { captionsProblem } from "#app/domain/media/rules/captions.ts";

const vtt = (...lines: string[]) => ["WEBVTT", "", ...lines].join("\n");

test.each([
  ["one caption", vtt("00:00.000 --> 00:02.500", "Olá")],
  [
    "hours, names and places on the screen",
    vtt(
      "1",
      "01:02:03.000 --> 01:02:04.000 line:80% align:start",
      "Olá",
      "",
      "00:00.000\t-->\t00:01.000",
      "Oi",
    ),
  ],
  [
    "a mark of the encoding and the ends of lines of Windows",
    `\uFEFF${vtt("00:00.000 --> 00:02.500", "Olá").replaceAll("\n", "\r\n")}`,
  ],
  ["a title and a note", "WEBVTT - Ensaio\n\nNOTE de quem fez\n\n00:00.000 --> 00:02.500\nOlá"],
])("%s is accepted", (_name, text) => {
  expect(captionsProblem(text)).toBeNull();
});

test.each([
  ["nothing", "", "As legendas precisam ser um arquivo VTT, que começa com WEBVTT."],
  [
    "SRT",
    "1\n00:00:01,000 --> 00:00:02,000\nOlá",
    "As legendas precisam ser um arquivo VTT, que começa com WEBVTT.",
  ],
  [
    "WEBVTTX",
    "WEBVTTX\n\n00:00.000 --> 00:01.000\nOlá",
    "As legendas precisam ser um arquivo VTT, que começa com WEBVTT.",
  ],
  ["no caption", vtt("Olá"), "O arquivo não tem nenhuma legenda."],
  [
    "a comma for a point",
    vtt("00:00,000 --> 00:02,500", "Olá"),
    "Linha 3: o tempo precisa ser como 00:01.000 --> 00:04.000.",
  ],
  [
    "an end before its beginning",
    vtt("00:02.000 --> 00:01.000", "Olá"),
    "Linha 3: a legenda termina antes de começar.",
  ],
  [
    "a minute of 75 seconds",
    vtt("00:00.000 --> 00:75.000", "Olá"),
    "Linha 3: o tempo precisa ser como 00:01.000 --> 00:04.000.",
  ],
  [
    "too much",
    vtt("00:00.000 --> 00:02.500", "x".repeat(1024 * 1024)),
    "As legendas precisam ter até 1 MB.",
  ],
  [
    "too many",
    vtt(...Array.from({ length: 20_001 }, () => "00:00.000 --> 00:02.500")),
    "Use até 20.000 legendas por arquivo.",
  ],
])("%s is refused with its line number", (_name, text, problem) => {
  expect(captionsProblem(text)).toBe(problem);
});
