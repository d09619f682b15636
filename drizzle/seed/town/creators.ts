import { ana } from "./ana.ts";
import { bia } from "./bia.ts";
import { cida } from "./cida.ts";
import { dandara } from "./dandara.ts";
import { jaci } from "./jaci.ts";
import { lia } from "./lia.ts";
import { nilo } from "./nilo.ts";
import { otavio } from "./otavio.ts";
import { rua8 } from "./rua8.ts";
import type { SeedCreator } from "./shape.ts";
import { terrao } from "./terrao.ts";
import { tiao } from "./tiao.ts";
import { zefa } from "./zefa.ts";

export const creators: readonly SeedCreator[] = [
  ana,
  tiao,
  cida,
  jaci,
  rua8,
  lia,
  otavio,
  bia,
  terrao,
  zefa,
  nilo,
  dandara,
];
