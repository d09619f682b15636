import { advanceDocuments } from "#app/domain/documents/expiry/commands.server.ts";
import { queryRegistry } from "#app/domain/documents/registry/commands.server.ts";
import { dueDocuments } from "#app/domain/documents/queries.server.ts";
import { documentsToQuery } from "#app/domain/documents/registry/queries.server.ts";
import { stepPerRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

const DOCUMENTS_LIMIT = 200;
const REGISTRY_LIMIT = 50;

/** Queries the registry, and notifies the owners of documents that wait long or expire. */
export const documentSteps = {
  askRegistry: stepPerRow({
    name: "documents.ask_registry",
    event: "renewals.registry_silent",
    kind: "registry",
    due: async (ctx, now) =>
      ctx.registry ? await documentsToQuery(ctx, { now, limit: REGISTRY_LIMIT }) : [],
    each: (ctx, personId) => queryRegistry(ctx, { personId, moderatorId: null }),
  }),
  advance: stepPerRow({
    name: "documents.advance",
    event: "renewals.documents_failed",
    due: (ctx, now) => dueDocuments(ctx, { now, limit: DOCUMENTS_LIMIT }),
    each: (ctx, personId) => advanceDocuments(ctx, { personId }),
  }),
} satisfies Record<string, Step>;
