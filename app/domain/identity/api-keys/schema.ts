import { z } from "zod";
import type { Instant } from "#app/domain/time.ts";

/** Scopes of an API key: one for each thing that `/api/v1` does for its owner. */
export const API_SCOPES = [
  "profile:read",
  "people:read",
  "posts:read",
  "events:read",
  "messages",
  "analytics",
] as const;
export type ApiScope = (typeof API_SCOPES)[number];

export const SCOPE_LABELS: Record<ApiScope, { label: string; hint: string }> = {
  "profile:read": {
    label: "Ler o seu perfil",
    hint: "Nome, e-mail, foto e números da sua página.",
  },
  "people:read": { label: "Ler perfis como você", hint: "Também diz quem você segue." },
  "posts:read": {
    label: "Ler publicações como você",
    hint: "Inclusive o que só você pode ver por seguir, assinar ou comprar.",
  },
  "events:read": {
    label: "Ler eventos como você",
    hint: "Inclusive as suas vagas, com os ingressos e os links.",
  },
  messages: {
    label: "Ler e enviar as suas mensagens",
    hint: "Todas as suas conversas, e escrever no seu nome.",
  },
  analytics: {
    label: "Ler os números da sua página",
    hint: "Visitas, pessoas, publicações e quanto você recebeu.",
  },
};

/** Which features have their pages shown here. */
export type ApiFeatures = { hasEvents: boolean };

/** The scopes that are offered. Events are one only where their pages are shown. */
export const offeredScopes = ({ hasEvents }: ApiFeatures): ApiScope[] =>
  API_SCOPES.filter((scope) => hasEvents || scope !== "events:read");

/** Spec section 9. */
export const KEY_LIFETIMES = ["1d", "7d", "30d", "60d", "90d", "180d", "1y", "never"] as const;
export type KeyLifetime = (typeof KEY_LIFETIMES)[number];

export const LIFETIME_LABELS: Record<KeyLifetime, string> = {
  "1d": "1 dia",
  "7d": "7 dias",
  "30d": "30 dias",
  "60d": "60 dias",
  "90d": "90 dias",
  "180d": "180 dias",
  "1y": "1 ano",
  never: "Nunca",
};

export const KEY_NAME_MAX = 256;
export const KEY_DESCRIPTION_MAX = 500;

/** Never `ak_` or another prefix that an identity provider parses as its own. */
export const KEY_PREFIX = "coreto_";

/** Check boxes of one name arrive as one text, as a list, or not at all. */
const scopesSchema = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .default([])
  .pipe(
    z
      .array(z.enum(API_SCOPES, "Escolha entre as permissões da lista."))
      .min(1, "Escolha pelo menos uma permissão."),
  )
  .transform((chosen) => API_SCOPES.filter((scope) => chosen.includes(scope)));

/** The form "Criar chave". */
export const apiKeySchema = z.object({
  name: z
    .string({ error: "Campo obrigatório" })
    .trim()
    .min(1, "Campo obrigatório")
    .max(KEY_NAME_MAX, `Use até ${KEY_NAME_MAX} caracteres.`),
  description: z
    .string()
    .trim()
    .max(KEY_DESCRIPTION_MAX, `Use até ${KEY_DESCRIPTION_MAX} caracteres.`)
    .default(""),
  lifetime: z.enum(KEY_LIFETIMES, "Escolha até quando a chave vale."),
  scopes: scopesSchema,
});
export type NewApiKey = z.infer<typeof apiKeySchema>;

/** A key as its owner sees it, without the key itself. `hint` is its last four characters. */
export type ApiKey = {
  id: string;
  name: string;
  description: string;
  hint: string;
  scopes: ApiScope[];
  createdAt: Instant;
  expiresAt: Instant | null;
  lastUsedAt: Instant | null;
};
