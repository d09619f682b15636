import type { OfferedSuggestions } from "#app/components/plan-form/plan-suggestions.tsx";
import type { Context } from "#app/domain/context.ts";
import { typedReais } from "#app/domain/money.ts";
import type { BasisPoints } from "#app/domain/money.ts";
import { currentFee, feeChangesStatement } from "#app/domain/payments/fees/queries.server.ts";
import {
  chosenSuggestion,
  kindOfWork,
  kindsOfWork,
  planSuggestions,
  welcomeMessageDraft,
} from "#app/domain/plans/suggestions/rules/suggestions.ts";
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

/**
 * Reads `?kind` and `?suggestion`. Without a kind it is the creator's own category. An unknown
 * value chooses nothing.
 */
export function planStart(
  { name: creatorName, category }: Pick<PublicProfile, "name" | "category">,
  search: URLSearchParams,
): PlanStart {
  const kind = kindOfWork(search.get("kind")) ?? kindOfWork(category);
  const chosen = kind && chosenSuggestion(kind, search.get("suggestion"));
  return {
    offered: {
      kinds: kindsOfWork,
      kind,
      plans: kind ? planSuggestions(kind) : [],
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

/** Reads what a plan's form shows of its creator, in one round trip: the fee and the profile. */
export async function planFormRead(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<{ feeBasisPoints: BasisPoints; profile: PublicProfile }> {
  const [changes, [profile]] = await ctx.db.batch([
    feeChangesStatement(ctx, { creatorId }),
    profileStatement(ctx, { personId: creatorId }),
  ]);
  return {
    feeBasisPoints: currentFee(ctx, changes),
    profile: foundOr404(profile),
  };
}
