/** The path of a case's page for moderators. */
export const casePath = (caseId: string): string => `/admin/reports/${encodeURIComponent(caseId)}`;
