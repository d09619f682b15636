import { KEY_PREFIX, offeredScopes, SCOPE_LABELS } from "#app/domain/identity/api-keys/schema.ts";
import type { ApiFeatures } from "#app/domain/identity/api-keys/schema.ts";
import { TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import {
  answers,
  body,
  call,
  componentSchemas,
  PAGE_PARAMETERS,
  pathParameter,
  withScope,
  withScopeOrNobody,
} from "./openapi-parts.ts";
import type { JsonSchema } from "./openapi-parts.ts";

/** Builds the OpenAPI 3.1 document from the API's own schemas. `baseUrl` is absolute. */
export function openApiDocument({
  baseUrl,
  version,
  hasEvents,
}: { baseUrl: string; version: string } & ApiFeatures): JsonSchema {
  return {
    openapi: "3.1.0",
    info: { title: "Coreto API", version, description: DESCRIPTION },
    servers: [{ url: baseUrl }],
    // Public reads need no credentials; a token only adds what its owner can see.
    security: [{}, { bearer: [] }, { key: [] }],
    paths: {
      ...paths(),
      ...(hasEvents ? eventPaths() : {}),
      ...conversationPaths(),
      ...analyticsPaths(),
    },
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
          description: keysDescription({ hasEvents }),
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

const keysDescription = (features: ApiFeatures): string =>
  [
    "An API key, made by its member at `/auth/account/keys` and shown once. It allows only its scopes, until it expires or is revoked:",
    ...offeredScopes(features).map(
      (scope) => `- \`${scope}\`: ${SCOPE_LABELS[scope].label}. ${SCOPE_LABELS[scope].hint}`,
    ),
    "On a public read, a key without the scope sees what a visitor sees.",
  ].join("\n");

const REGISTER_DESCRIPTION = [
  "What everybody says of themselves after their first sign-in. Safe to repeat with the same body; with another one afterwards it answers 409.",
  `\`termsVersion\` is the version of /terms that was shown and accepted, now \`${TERMS_VERSION}\`; \`birthDate\` is \`1990-12-31\` or \`31/12/1990\`, and under 16 is 403.`,
  "Without a token nobody registers here: an account begins at /auth/register, where a code proves the e-mail, or at the configured identity provider.",
].join("\n\n");

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

function eventPaths(): JsonSchema {
  return {
    "/events": {
      get: call(
        "Events that are not over, soonest first",
        answers({ 200: "EventList", 400: "Error" }),
        {
          parameters: [
            { name: "cursor", in: "query", schema: { type: "string" } },
            { name: "limit", in: "query", schema: { type: "integer" } },
          ],
          security: withScopeOrNobody("events:read"),
        },
      ),
    },
    "/events/{id}": {
      get: call("An event", answers({ 200: "Event", 404: "Error" }), {
        parameters: [pathParameter("id")],
        security: withScopeOrNobody("events:read"),
      }),
    },
    "/events/tickets": {
      get: call(
        "The seats of the token's person at events that are not over",
        answers({ 200: "TicketList", 401: "Error", 403: "Error" }),
        { security: withScope("events:read") },
      ),
    },
  };
}

function analyticsPaths(): JsonSchema {
  const query = (name: string) => ({ name, in: "query", schema: { type: "string" } });
  return {
    "/me/analytics": {
      get: call(
        "The numbers of the token's own page",
        answers({ 200: "Analytics", 400: "Error", 401: "Error", 403: "Error" }),
        {
          description:
            "The same sums as `/analytics`. `range` is `7`, `28`, `90`, `year`, `all` or `own`; `own` takes the days `from` and `until`, such as `2026-12-31`. `days` has only days with anything, `posts` at most 50, `sources` ten of each dimension. Counts of today arrive up to an hour later.",
          parameters: [query("range"), query("from"), query("until")],
          security: withScope("analytics"),
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
    "/conversations/{id}/files": {
      post: call("Upload a file for a message", answers({ 200: "StoredFile", ...refused }), {
        description: "At most 10 MB: an image, a video, an audio or a PDF. 50 files a day.",
        parameters: [pathParameter("id")],
        requestBody: {
          required: true,
          content: {
            "multipart/form-data": {
              schema: {
                type: "object",
                required: ["file"],
                properties: { file: { type: "string", format: "binary" } },
              },
            },
          },
        },
        security,
      }),
    },
  };
}
