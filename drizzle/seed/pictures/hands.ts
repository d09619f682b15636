import { azulejo } from "./azulejo.ts";
import { botanical } from "./botanical.ts";
import { comics } from "./comics.ts";
import { crossStitch } from "./cross-stitch.ts";
import { geometry } from "./geometry.ts";
import { gigPoster } from "./gig-poster.ts";
import { joinery } from "./joinery.ts";
import { paperCut } from "./paper-cut.ts";
import { pitch } from "./pitch.ts";
import { riso } from "./riso.ts";
import { stillLife } from "./still-life.ts";
import { woodcut } from "./woodcut.ts";

/** Whose hand draws which pictures, by username. */
export const hands = {
  ana: paperCut,
  tiao: joinery,
  cida: stillLife,
  jaci: woodcut,
  rua8: gigPoster,
  lia: botanical,
  otavio: riso,
  bia: comics,
  terrao: pitch,
  zefa: crossStitch,
  nilo: azulejo,
  dandara: geometry,
};
