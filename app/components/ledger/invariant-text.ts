/** Verdict of the ledger checks. "Tudo fecha" requires that all were checked and none is broken. */
export function checksVerdictText(
  findings: readonly { brokenCount: number; isKnown: boolean }[],
): string {
  const brokenCount = findings.filter((finding) => finding.brokenCount > 0).length;
  const missedCount = findings.filter(
    (finding) => finding.brokenCount === 0 && !finding.isKnown,
  ).length;
  const missed =
    missedCount === 1 ? "uma não foi conferida" : `${missedCount} não foram conferidas`;
  if (brokenCount === 0)
    return missedCount === 0 ? "Tudo fecha" : `Nenhuma regra quebrada, mas ${missed}`;
  return `${brokenCount === 1 ? "Uma regra quebrada" : `${brokenCount} regras quebradas`}${missedCount === 0 ? "" : `, e ${missed}`}`;
}
