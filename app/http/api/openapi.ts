import { z } from "zod";
import { API_SCOPES, KEY_PREFIX, SCOPE_LABELS } from "#app/domain/identity/api-keys/schema.ts";
import { TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
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
import {
  conversationListSchema,
  messageListSchema,
  sentMessageAnswerSchema,
} from "./conversations.ts";

type JsonSchema = Record<string, unknown>;

const ANSWERS = {
  Post: apiPostSchema,
  PostList: postListSchema,
  Collection: apiCollectionSchema,
  Profile: apiProfileSchema,
  Registration: registrationSchema,
  Token: tokenSchema,
  ConversationList: conversationListSchema,
  MessageList: messageListSchema,
  SentMessage: sentMessageAnswerSchema,
  Error: apiErrorSchema,
};
const BODIES = {
  Register: registerBodySchema,
  Credentials: tokenBodySchema,
  NewConversation: apiNewConversationSchema,
  NewMessage: apiMessageSchema,
};

/** Builds the OpenAPI 3.1 document from the API's own schemas. `baseUrl` is absolute. */
export function openApiDocument({
  baseUrl,
  version,
}: {
  baseUrl: string;
  version: string;
}): JsonSchema {
  return {
    openapi: "3.1.0",
    info: { title: "Coreto API", version, description: DESCRIPTION },
    servers: [{ url: baseUrl }],
    // Public reads need no credentials; a token only adds what its owner can see.
    security: [{}, { bearer: [] }, { key: [] }],
    paths: { ...paths(), ...conversationPaths() },
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "The `token` of POST /auth/token, or of the configured identity provider.",
        },
        key: {
          type: "http",
          scheme: "bearer",
          bearerFormat: `${KEY_PREFIX}…`,
          description: keysDescription(),
        },
      },
      schemas: componentSchemas(),
    },
  };
}

const DESCRIPTION = [
  "Publicações e perfis do Coreto.",
  "A Bearer token comes from POST /auth/token with an e-mail or username and a password; it lives 7 days after its last use. For a program of one's own, an API key is better: it allows less, and ends by itself.",
  "A missing or bad token never breaks a public read: it only sees what a visitor sees.",
].join("\n\n");

const keysDescription = (): string =>
  [
    "An API key, made by its member at `/auth/account/keys` and shown once. It allows only its scopes, until it expires or is revoked:",
    ...API_SCOPES.map(
      (scope) => `- \`${scope}\`: ${SCOPE_LABELS[scope].label}. ${SCOPE_LABELS[scope].hint}`,
    ),
    "On a public read, a key without the scope sees what a visitor sees.",
  ].join("\n");

const REGISTER_DESCRIPTION = [
  "What everybody says of themselves after their first sign-in. Safe to repeat with the same body; with another one afterwards it answers 409.",
  `\`termsVersion\` is the version of /terms that was shown and accepted, now \`${TERMS_VERSION}\`; \`birthDate\` is \`1990-12-31\` or \`31/12/1990\`, and under 16 is 403.`,
  "Without a token nobody registers here: an account begins at /auth/register, where a code proves the e-mail, or at the configured identity provider.",
].join("\n\n");

/** The security of a call for which a key needs `scope`. */
const withScope = (scope: ApiScope): JsonSchema[] => [{ bearer: [] }, { key: [scope] }];
const withScopeOrNobody = (scope: ApiScope): JsonSchema[] => [{}, ...withScope(scope)];

function paths(): JsonSchema {
  return {
    "/users/me": {
      get: call(
        "The person of the token",
        answers({ 200: "Profile", 401: "Error", 403: "Error", 503: "Error" }),
        { security: withScope("profile:read") },
      ),
    },
    "/users/{username}/profile": {
      get: call("A profile", answers({ 200: "Profile", 404: "Error" }), {
        parameters: [pathParameter("username")],
        security: withScopeOrNobody("people:read"),
      }),
    },
    "/posts": {
      get: call("Posts, newest first", answers({ 200: "PostList", 400: "Error" }), {
        parameters: PAGE_PARAMETERS,
        security: withScopeOrNobody("posts:read"),
      }),
    },
    "/posts/{id}": {
      get: call("A post", answers({ 200: "Post", 404: "Error" }), {
        parameters: [pathParameter("id")],
        security: withScopeOrNobody("posts:read"),
      }),
    },
    "/collections/{id}": {
      get: call(
        "A collection and its posts, in their order",
        answers({ 200: "Collection", 400: "Error", 404: "Error" }),
        {
          parameters: [pathParameter("id"), ...PAGE_PARAMETERS],
          security: withScopeOrNobody("posts:read"),
        },
      ),
    },
    "/auth/is-registered": {
      get: call(
        "Whether the token's person is registered here",
        answers({ 200: "Registration", 503: "Error" }),
      ),
    },
    "/auth/register": {
      post: call(
        "Finish the registration of the token's person",
        answers({
          200: "Registration",
          400: "Error",
          401: "Error",
          403: "Error",
          409: "Error",
          503: "Error",
        }),
        {
          description: REGISTER_DESCRIPTION,
          requestBody: body("Register", true),
          security: [{ bearer: [] }],
        },
      ),
    },
    "/auth/token": {
      post: call(
        "A Bearer token from the local identity",
        answers({ 200: "Token", 400: "Error", 401: "Error", 429: "Error" }),
        {
          requestBody: body("Credentials", true),
          security: [{}],
        },
      ),
    },
  };
}

function conversationPaths(): JsonSchema {
  const refused = { 400: "Error", 401: "Error", 403: "Error", 404: "Error", 429: "Error" } as const;
  const security = withScope("messages");
  const query = (name: string, type: "integer" | "string") => ({
    name,
    in: "query",
    schema: { type },
  });
  return {
    "/conversations": {
      get: call(
        "The conversations of the token's person, latest first",
        answers({ 200: "ConversationList", 400: "Error", 401: "Error", 403: "Error" }),
        {
          parameters: [
            query("filter", "string"),
            query("cursor", "string"),
            query("limit", "integer"),
          ],
          security,
        },
      ),
      post: call(
        "Write to a person, in the conversation with them",
        answers({ 200: "SentMessage", ...refused }),
        { requestBody: body("NewConversation", true), security },
      ),
    },
    "/conversations/{id}": {
      get: call(
        "Messages of a conversation: the latest, or after or before a seq",
        answers({ 200: "MessageList", 400: "Error", 401: "Error", 403: "Error", 404: "Error" }),
        {
          parameters: [
            pathParameter("id"),
            query("after", "integer"),
            query("before", "integer"),
            query("limit", "integer"),
          ],
          security,
        },
      ),
      post: call("Send a message", answers({ 200: "SentMessage", ...refused }), {
        parameters: [pathParameter("id")],
        requestBody: body("NewMessage", true),
        security,
      }),
    },
  };
}

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

const PAGE_PARAMETERS = [
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

function answers(byStatus: Record<number, keyof typeof ANSWERS>): JsonSchema {
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, name]) => [
      status,
      { description: MEANINGS[status] ?? "", content: reference(name) },
    ]),
  );
}

function call(summary: string, responses: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { summary, ...more, responses };
}

function body(name: keyof typeof BODIES, required: boolean): JsonSchema {
  return { required, content: reference(name) };
}

function pathParameter(name: string): JsonSchema {
  return { name, in: "path", required: true, schema: { type: "string" } };
}

function componentSchemas(): JsonSchema {
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
