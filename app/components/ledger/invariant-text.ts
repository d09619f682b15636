import { countedFromTwo } from "#app/domain/text.ts";

/** Verdict of the ledger checks. "Tudo fecha" requires that all were checked and none is broken. */
export function checksVerdictText(
  findings: readonly { brokenCount: number; isKnown: boolean }[],
): string {
  const brokenCount = findings.filter((finding) => finding.brokenCount > 0).length;
  const missedCount = findings.filter(
    (finding) => finding.brokenCount === 0 && !finding.isKnown,
  ).length;
  const missed = countedFromTwo(missedCount, "uma não foi conferida", "não foram conferidas");
  if (brokenCount === 0)
    return missedCount === 0 ? "Tudo fecha" : `Nenhuma regra quebrada, mas ${missed}`;
  return `${countedFromTwo(brokenCount, "Uma regra quebrada", "regras quebradas")}${missedCount === 0 ? "" : `, e ${missed}`}`;
}
