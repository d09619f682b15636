import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dovetailTemplate, roseChart, singleNoteScore } from "#drizzle/seed/pictures/papers.ts";

/** A file that a post shows beside its picture. */
export type SeedFile = {
  creator: string;
  /** Of its post. */
  title: string;
  filename: string;
  contentType: string;
  alt: string;
  bytes(at: number): Promise<Uint8Array<ArrayBuffer>>;
  /** A shipped picture, for a video. */
  poster?: string;
  /** WebVTT. */
  captions?: string;
};

/** Reads one of the small files that `scripts/seed-files.ts` made. */
export function shippedFile(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(import.meta.dirname, "..", "files", name)));
}

const vtt = (...cues: [string, string, string][]): string =>
  `WEBVTT\n\n${cues.map(([from, to, text]) => `00:${from} --> 00:${to}\n${text}\n`).join("\n")}`;
const shipped = (filename: string): Pick<SeedFile, "filename" | "bytes"> => ({
  filename,
  bytes: async () => shippedFile(filename),
});

const files: readonly SeedFile[] = [
  {
    creator: "ana",
    title: "Como meu avô afinava a rabeca",
    ...shipped("afinando-a-rabeca.mp3"),
    contentType: "audio/mpeg",
    alt: "Afinando a rabeca de manhã, com um bem-te-vi no quintal",
    captions: vtt(
      ["00.300", "02.700", "[corda solta, ainda baixa]"],
      ["03.000", "05.400", "[a corda sobe até o ré]"],
      ["05.700", "07.500", "[a corda de cima, afinada]"],
      ["07.700", "11.500", "[as duas juntas; canta um bem-te-vi]"],
    ),
  },
  {
    creator: "ana",
    title: "Quintal nº 31: Lua de Goiana",
    ...shipped("lua-de-goiana.mp3"),
    contentType: "audio/mpeg",
    alt: "Lua de Goiana na rabeca, com grilo",
  },
  {
    creator: "ana",
    title: "Aula 9: o arco que não pesa",
    filename: "aula-9-partitura.pdf",
    contentType: "application/pdf",
    alt: "Partitura da aula 9: um ré só, em seis linhas",
    bytes: singleNoteScore,
  },
  {
    creator: "terrao",
    title: "Golaço de domingo: Neguinho do Baronesa",
    ...shipped("golaco-na-trave.mp3"),
    contentType: "audio/mpeg",
    alt: "A bola na trave e o “ihhh” da torcida",
  },
  {
    creator: "tiao",
    title: "Encaixe sem prego, passo a passo",
    filename: "molde-rabo-de-andorinha.pdf",
    contentType: "application/pdf",
    alt: "Molde do rabo de andorinha em tamanho real, um para seis",
    bytes: dovetailTemplate,
  },
  {
    creator: "tiao",
    title: "Sobre o silêncio da oficina",
    ...shipped("oficina.mp4"),
    contentType: "video/mp4",
    alt: "Serrando três rabos de andorinha, sem música",
    poster: "oficina.webp",
    captions: vtt(
      ["00.200", "02.900", "Primeiro risco os seis lados."],
      ["03.000", "06.500", "[serra na madeira]"],
      ["06.600", "10.100", "Escute: quando sai do esquadro, o som muda."],
      ["10.300", "12.000", "As sobras caem e ficam os rabos."],
    ),
  },
  {
    creator: "zefa",
    title: "Gráfico da rosa de três cores",
    filename: "rosa-de-tres-cores.pdf",
    contentType: "application/pdf",
    alt: "Gráfico da rosa com legenda de cores",
    bytes: roseChart,
  },
  {
    creator: "zefa",
    title: "Vídeo: avesso limpo, a prova da bordadeira",
    ...shipped("avesso.mp4"),
    contentType: "video/mp4",
    alt: "Uma rosa bordada ponto por ponto, sem som",
    poster: "avesso.webp",
    captions: vtt(
      ["00.200", "03.500", "Comece em laço, sem nó."],
      ["03.600", "07.500", "Uma perna do ponto, depois a outra, sempre na mesma ordem."],
      ["07.600", "11.700", "No fim, esconda o fio por baixo de quatro pontos."],
    ),
  },
];

/** The files of one post, in the order in which it shows them. */
export function filesOf(creator: string, title: string): SeedFile[] {
  return files.filter((file) => file.creator === creator && file.title === title);
}

export const seedFiles = files;
