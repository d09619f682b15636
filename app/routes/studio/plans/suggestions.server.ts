import type { OfferedSuggestions } from "#app/components/plan-form/plan-suggestions.tsx";
import type { Context } from "#app/domain/context.ts";
import { typedReais } from "#app/domain/money.ts";
import type { BasisPoints } from "#app/domain/money.ts";
import { currentFee, feeChangesStatement } from "#app/domain/payments/fees/queries.server.ts";
import {
  chosenSuggestion,
  parseKindOfWork,
  kindsOfWork,
  planSuggestions,
  welcomeMessageDraft,
} from "#app/domain/plans/suggestions/rules/suggestions.ts";
import { plansFromRows, plansOfCreatorStatement } from "#app/domain/plans/queries.server.ts";
import { profileStatement } from "#app/domain/profiles/queries.server.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import { foundOr404 } from "#app/http/refusal.ts";

/** The suggestions of one address, and what the chosen one writes into the form. */
export type PlanStart = {
  offered: OfferedSuggestions;
  chosen: {
    key: string;
    name: string;
    amountCents: number;
    values: Record<string, string>;
  } | null;
  welcomeDraft: string;
};

type PlanStartInput = {
  profile: Pick<PublicProfile, "name" | "category">;
  /** The names of the creator's plans, drafts included. */
  planNames: readonly string[];
  search: URLSearchParams;
};

/**
 * Reads `?kind` and `?suggestion`. Without a kind it is the creator's own category. An unknown
 * value chooses nothing.
 */
export function planStart({ profile, planNames, search }: PlanStartInput): PlanStart {
  const { name: creatorName, category } = profile;
  const kind = parseKindOfWork(search.get("kind")) ?? parseKindOfWork(category);
  const suggestions = kind ? planSuggestions(kind, { creatorPlanNames: planNames }) : [];
  const chosen = chosenSuggestion(suggestions, search.get("suggestion"));
  return {
    offered: {
      kinds: kindsOfWork,
      kind,
      plans: suggestions,
      isAsked: search.has("kind"),
    },
    chosen: chosen && {
      key: `${kind} ${chosen.name}`,
      name: chosen.name,
      amountCents: chosen.amountCents,
      values: {
        name: chosen.name,
        description: chosen.description,
        benefits: chosen.benefits.join("\n"),
        price: typedReais(chosen.amountCents),
      },
    },
    welcomeDraft: welcomeMessageDraft({ creatorName, kind }),
  };
}

/**
 * Reads what a plan's form needs of its creator, in one round trip: the fee, the profile, and the
 * names of the plans, drafts included.
 */
export async function loadPlanFormData(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<{ feeBasisPoints: BasisPoints; profile: PublicProfile; planNames: string[] }> {
  const [changes, [profile], planRows] = await ctx.db.batch([
    feeChangesStatement(ctx, { creatorId }),
    profileStatement(ctx, { personId: creatorId }),
    plansOfCreatorStatement(ctx, { creatorId, states: ["active", "draft"] }),
  ]);
  return {
    feeBasisPoints: currentFee(ctx, changes),
    profile: foundOr404(profile),
    planNames: plansFromRows(planRows).map(({ name }) => name),
  };
}
