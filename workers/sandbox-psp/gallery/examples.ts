import { z } from "zod";
import { MESSAGES } from "#app/notification-registry.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";

/** Noon in São Paulo on 11 November 2026. */
const EXAMPLE_INSTANT = Date.UTC(2026, 10, 11, 15);

/** Text fields by their name. Every other text is an id or a sentence. */
const TEXTS: Record<string, string> = {
  appOrigin: "https://coreto.example",
  creatorUsername: "ana",
  email: "bia@exemplo.com.br",
  message: "Adorei o show!",
  planName: "Camarim",
  postTitle: "Itinerário de março",
  creatorName: "Ana Prado",
  authorName: "Ana Prado",
  protocol: "20261111-0001",
  slug: "equipe-da-ana",
  teamName: "Equipe da Ana",
  roleWord: "editora",
  month: "2026-11",
  day: "2026-11-11",
  fromDay: "2026-11-02",
  untilDay: "2026-11-08",
  timeZone: "America/Sao_Paulo",
};

/**
 * Writes a message of a type with example data, from the shape that its module declares. So a type
 * that is added has its example at once.
 */
export function exampleMessage(type: keyof typeof MESSAGES): OutboxMessage {
  return { type, ...(exampleOf(MESSAGES[type], "") as object) } as OutboxMessage;
}

function exampleOf(schema: z.ZodType, name: string): unknown {
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([field, shape]) =>
        shape instanceof z.ZodOptional ? [] : [[field, exampleOf(shape, field)]],
      ),
    );
  if (schema instanceof z.ZodArray) return [exampleOf(schema.element as z.ZodType, name)];
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return [...schema.values][0];
  if (schema instanceof z.ZodUnion) return exampleOf(schema.options[0] as z.ZodType, name);
  if (
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  )
    return exampleOf(schema.unwrap() as z.ZodType, name);
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodNumber) return exampleNumber(name);
  return exampleText(name);
}

function exampleNumber(name: string): number {
  if (/(At|Until|until)$/.test(name)) return EXAMPLE_INSTANT;
  if (name.endsWith("Cents")) return 1_990;
  if (/BasisPoints$|^basisPoints$/.test(name)) return 500;
  return 3;
}

function exampleText(name: string): string {
  const example = TEXTS[name];
  if (example !== undefined) return example;
  if (/(Path|path)$/.test(name)) return "/post/exemplo";
  if (/(On|Day|until|date)$/.test(name)) return "2026-11-11";
  if (/(Id|Ids)$/.test(name)) return "exemplo";
  if (name.endsWith("Name")) return "Bia Ramos";
  if (name.endsWith("Username")) return "bia";
  if (/(Title|title|titles|moreTitles)$/.test(name)) return "Itinerário de março";
  if (/(Url|link)$/.test(name)) return "https://coreto.example/exemplo";
  return "exemplo";
}
