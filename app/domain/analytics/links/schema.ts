import { z } from "zod";
import { cleanLine } from "#app/domain/text.ts";
import type { Instant } from "#app/domain/time.ts";
import { INVITATION_SLUG, isLinkSlug } from "#app/lib/link-mark.ts";
import { slugOfName } from "./rules.ts";
import type { LinkCounts } from "./rules.ts";

const LONGEST_NAME = 60;
/** The invitation, and what a day sums the rest of its links as (`OTHER_VALUE`). */
const RESERVED: readonly string[] = [INVITATION_SLUG, "outros"];

/** A new link: its name, and the end of its address, which is made of the name where left empty. */
export const linkSchema = z
  .object({
    name: z
      .string()
      .default("")
      .transform(cleanLine)
      .refine((name) => name !== "", "Dê um nome ao link")
      .refine((name) => name.length <= LONGEST_NAME, `Use no máximo ${LONGEST_NAME} letras`),
    slug: z
      .string()
      .default("")
      .transform((text) => text.trim().toLowerCase()),
  })
  .transform(({ name, slug: typed }, check) => {
    const slug = typed === "" ? slugOfName(name) : typed;
    if (isLinkSlug(slug) && !RESERVED.includes(slug)) return { name, slug };
    const message = RESERVED.includes(slug)
      ? "Este endereço já tem outro uso. Escolha outro."
      : "Use de 1 a 40 letras sem acento, números e hifens, como bio-instagram";
    check.addIssue({ code: "custom", path: ["slug"], message });
    return z.NEVER;
  });
export type LinkInput = z.infer<typeof linkSchema>;

type CreatorLink = {
  slug: string;
  name: string;
  /** Null for the invitation, which is no row. */
  createdAt: Instant | null;
  archivedAt: Instant | null;
};

export type CountedLink = CreatorLink & LinkCounts;
