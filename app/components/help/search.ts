import { foldedWord } from "#app/domain/discovery/rules.ts";
import { searchTerms } from "#app/lib/full-text.ts";
import type { HelpAnswer, HelpGroup } from "./schema.ts";

/**
 * Finds the answers that have every word of `query`, without regard to accents and case. A word may
 * be incomplete. Without words it returns everything.
 */
export function searchHelp(groups: readonly HelpGroup[], query: string): HelpGroup[] {
  const wanted = searchTerms(query).map(foldedWord);
  return groups.flatMap((group) => {
    const answers = group.answers.filter((answer) => hasTerms(group, answer, wanted));
    return answers.length === 0 ? [] : [{ ...group, answers }];
  });
}

function hasTerms(group: HelpGroup, answer: HelpAnswer, wanted: readonly string[]): boolean {
  const { asked, text, terms = "" } = answer;
  const searched = [group.title, asked, text, terms].flatMap((part) =>
    part.split(/\s+/).map(foldedWord),
  );
  return wanted.every((word) => searched.some((other) => other.startsWith(word)));
}
