import { z } from "zod";
import { draftSchema } from "./composing.ts";

/**
 * What the share sheet of a device sends to the installed app, as a draft for everybody. The names
 * are those of `share_target` in public/manifest.webmanifest. The address goes below the text. Of
 * several pictures the first is taken: the form of a draft has one, and the picker takes the
 * others.
 */
export const sharedSchema = z.preprocess((fields) => {
  const shared = z.record(z.string(), z.unknown()).catch({}).parse(fields);
  const { title, content, link, image } = shared;
  return {
    title,
    content: [content, link].filter((text) => typeof text === "string" && text !== "").join("\n\n"),
    image: Array.isArray(image) ? image[0] : image,
    ways: "public",
  };
}, draftSchema);
