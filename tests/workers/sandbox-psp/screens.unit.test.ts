import { readdirSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { describe, expect, test } from "vitest";
import { galleryScreenPage } from "#workers/sandbox-psp/gallery/screens/page.tsx";
import { renderScreen } from "#workers/sandbox-psp/gallery/screens/render.tsx";
import { GALLERY_SCREENS } from "#workers/sandbox-psp/gallery/screens/screens.ts";
import { inRoot } from "#scripts/paths.ts";

const render = () =>
  GALLERY_SCREENS.flatMap(({ slug, parts }) =>
    parts.map(({ name, element }) => ({
      name: `${slug}: ${name}`,
      html: renderScreen(element),
    })),
  );

/** The functions of `app/components` that ran while `work` did, by file. */
async function functionsRunBy(work: () => void): Promise<Map<string, Set<string>>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  const ran = new Map<string, Set<string>>();
  for (const { url, functions } of result) {
    const file = /app\/components\/(.+\.tsx)/.exec(url)?.[1];
    if (file === undefined) continue;
    const names = functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0));
    ran.set(file, new Set(names.map(({ functionName }) => functionName)));
  }
  return ran;
}

const folder = inRoot("app", "components");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".tsx"))
  .sort();
/** The components that other files use. */
const exportedBy = (file: string): string[] =>
  [
    ...readFileSync(`${folder}/${file}`, "utf8").matchAll(
      /^export (?:async )?function ([A-Z]\w*)|^export const ([A-Z][a-z]\w*) = \(/gm,
    ),
  ].map((found) => found[1] ?? found[2] ?? "");

/** What only a browser shows: journeys in Chromium look at it. */
const NEEDS_A_BROWSER = [
  "analytics/chart-pointer.tsx ChartPointer",
  "clerk/clerk-account.tsx ClerkAccount",
  "clerk/clerk-screen.tsx ClerkScreen",
  "clerk/clerk-teams.tsx ClerkTeams",
  "composer/toolbar.tsx Toolbar",
  "events/door/door-scanner.tsx DoorScanner",
  "events/door/offline-door.tsx OfflineDoor",
  "media/picked-row.tsx PickedRow",
  "messages/recordings/audio-recorder.tsx AudioRecorder",
  "messages/files/message-files.tsx MessageFiles",
  "palette/commands.tsx Commands",
  "palette/palette.tsx Palette",
  "palette/shortcut-help.tsx ShortcutHelp",
  "shell/measurement/measurement.tsx MeasurementNotice",
  "shell/navigation/navigation-progress.tsx NavigationProgress",
  "shell/browser/offline-notice.tsx OfflineNotice",
  "shell/page-announcer.tsx PageAnnouncer",
  "shell/browser/query-client.tsx QueryCache",
  "ui/toasts/toast-area.tsx ToastArea",
  "ui/toasts/toaster.tsx Toaster",
];

/**
 * Still without an example, because each needs most of a page's data; its page is in town-pages.ts.
 * What is shown leaves this list, and nothing new comes in.
 */
const WITHOUT_EXAMPLE = [
  "account/deletion/deletion-preview.tsx DeletionPreviewCard",
  "analytics/money-parts.tsx MoneyParts",
  "analytics/overview.tsx MoneyFigures",
  "checkout/pix/mandate-outcome.tsx MandateAnswered",
  "events/series/repeat-fields.tsx RepeatFields",
  "gifts/given-gifts.tsx GivenGifts",
  "ledger/fee-report.tsx FeeReport",
  "ledger/margin-table.tsx MarginTable",
  "messages/conversation-view.tsx ConversationView",
  "payments/cooling-off-refund.tsx CoolingOffRefundText",
  "payments/document-sheet.tsx DocumentSheet",
  "payments/part-notice.tsx PartNotice",
  "payouts/batches/batch-actions.tsx BatchActions",
  "payouts/documents/document-decision.tsx DocumentDecision",
  "payouts/documents/document-review.tsx DocumentContestants",
  "payouts/documents/documents-sent.tsx DocumentsSent",
  "payouts/money-timeline.tsx MoneyTimelineView",
  "shell/bare-shell.tsx BareShell",
  "shell/measurement/measurement.tsx MeasurementForm",
  "shell/member-frame.tsx MemberFrame",
  "subscriptions/plan-change-history.tsx PlanChangeHistory",
  "subscriptions/plan-change-notes.tsx PlanChangeNotes",
  "subscriptions/plan-change.tsx PlanChangeLines",
];

describe("the gallery of components", () => {
  test("shows every component but those listed", { timeout: 60_000 }, async () => {
    const ran = await functionsRunBy(render);
    const missing = files.flatMap((file) =>
      exportedBy(file)
        .filter((name) => !ran.get(file)?.has(name))
        .map((name) => `${file} ${name}`),
    );
    expect(missing.sort()).toEqual([...NEEDS_A_BROWSER, ...WITHOUT_EXAMPLE].sort());
  });

  test("has something in every part, and no word that no person would write", () => {
    for (const { name, html } of render()) {
      expect([name, html.length > 20]).toEqual([name, true]);
      expect([name, /undefined|NaN|Invalid Date|\[object/.exec(html)?.[0] ?? null]).toEqual([
        name,
        null,
      ]);
    }
  });

  test("has an address for each page, in both themes", async () => {
    expect(new Set(GALLERY_SCREENS.map(({ slug }) => slug)).size).toBe(GALLERY_SCREENS.length);
    for (const { slug } of GALLERY_SCREENS)
      for (const theme of ["light", "dark"] as const) {
        const page = await galleryScreenPage(slug, { theme, head: "<link>" })?.text();
        expect(page).toContain(`class="${theme}"`);
      }
    expect(galleryScreenPage("nothing", { theme: "light", head: "" })).toBeNull();
  });
});
