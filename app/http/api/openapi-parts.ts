import { z } from "zod";
import type { ApiScope } from "#app/domain/identity/api-keys/schema.ts";
import { apiMessageSchema, apiNewConversationSchema } from "#app/domain/messages/schema.ts";
import {
  apiCollectionSchema,
  apiErrorSchema,
  apiPostSchema,
  apiProfileSchema,
  LIMIT_DEFAULT,
  LIMIT_MAX,
  postListSchema,
  registerBodySchema,
  registrationSchema,
  tokenBodySchema,
  tokenSchema,
} from "./api-schema.ts";
import { apiAnalyticsSchema } from "./analytics.ts";
import { apiEventListSchema, apiEventSchema, apiTicketListSchema } from "./events.ts";
import {
  conversationListSchema,
  messageListSchema,
  sentMessageAnswerSchema,
  storedFileSchema,
} from "./conversations.ts";

export type JsonSchema = Record<string, unknown>;

const ANSWERS = {
  Post: apiPostSchema,
  PostList: postListSchema,
  Collection: apiCollectionSchema,
  Profile: apiProfileSchema,
  Analytics: apiAnalyticsSchema,
  Registration: registrationSchema,
  Token: tokenSchema,
  Event: apiEventSchema,
  EventList: apiEventListSchema,
  TicketList: apiTicketListSchema,
  ConversationList: conversationListSchema,
  MessageList: messageListSchema,
  SentMessage: sentMessageAnswerSchema,
  StoredFile: storedFileSchema,
  Error: apiErrorSchema,
};
const BODIES = {
  Register: registerBodySchema,
  Credentials: tokenBodySchema,
  NewConversation: apiNewConversationSchema,
  NewMessage: apiMessageSchema,
};

/** The security of a call for which a key needs `scope`. */
export const withScope = (scope: ApiScope): JsonSchema[] => [{ bearer: [] }, { key: [scope] }];
export const withScopeOrNobody = (scope: ApiScope): JsonSchema[] => [{}, ...withScope(scope)];

const MEANINGS: Record<string, string> = {
  200: "OK",
  400: "Bad request: `field` names the input",
  401: "No person",
  403: "Not allowed: a key, a key without the scope, an age under 16",
  404: "Not found",
  409: "Already taken, or done before with other details",
  429: "Too many tries",
  503: "The identity provider does not answer",
};

export const PAGE_PARAMETERS = [
  { name: "page", in: "query", schema: { type: "integer", minimum: 1, default: 1 } },
  {
    name: "limit",
    in: "query",
    schema: { type: "integer", minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT },
  },
];

const reference = (name: string): JsonSchema => ({
  "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
});

export function answers(byStatus: Record<number, keyof typeof ANSWERS>): JsonSchema {
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, name]) => [
      status,
      { description: MEANINGS[status] ?? "", content: reference(name) },
    ]),
  );
}

export function call(summary: string, responses: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { summary, ...more, responses };
}

export function body(name: keyof typeof BODIES, required: boolean): JsonSchema {
  return { required, content: reference(name) };
}

export function pathParameter(name: string): JsonSchema {
  return { name, in: "path", required: true, schema: { type: "string" } };
}

export function componentSchemas(): JsonSchema {
  const made: [string, JsonSchema][] = [
    ...Object.entries(ANSWERS).map(([name, schema]): [string, JsonSchema] => [
      name,
      jsonSchema(schema, "output"),
    ]),
    ...Object.entries(BODIES).map(([name, schema]): [string, JsonSchema] => [
      name,
      jsonSchema(schema, "input"),
    ]),
  ];
  return Object.fromEntries(made);
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io,
    unrepresentable: "any",
  });
  return rest;
}
