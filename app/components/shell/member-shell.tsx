import type { ReactNode } from "react";
import { useLocation, useMatches } from "react-router";
import { PaletteKeys } from "#app/components/palette/palette-keys.tsx";
import { Sidebar } from "./navigation/sidebar.tsx";
import type { SidebarMoney, SidebarPerson } from "./navigation/sidebar.tsx";
import { BareShell } from "./bare-shell.tsx";
import { FlashToast } from "./flash-toast.tsx";
import type { Flash } from "./flash-toast.tsx";
import { PendingPage, usePending } from "./navigation/pending-page.tsx";
import { PhoneBar } from "./navigation/phone-bar.tsx";
import { ActingNotice } from "./acting/acting-notice.tsx";
import type { ActingContext } from "./acting/acting-notice.tsx";
import { PhoneTop } from "./navigation/phone-top.tsx";
import { PrintedAddress } from "./printed-address.tsx";
import { Rail } from "./navigation/rail.tsx";
import type { ShellMember } from "./navigation/rail.tsx";
import { SkipLink } from "./skip-link.tsx";
import { useUnread } from "./navigation/unread-badge.tsx";
import { useInstalledApp } from "./browser/use-installed-app.ts";
import { useUnreadMarks } from "./navigation/use-unread-marks.ts";

type MemberShellProps = {
  member: ShellMember;
  acting: ActingContext;
  unread: number;
  money: SidebarMoney | null;
  people: SidebarPerson[];
  flash: Flash | null;
  children: ReactNode;
};

type Frame = "column" | "wide" | "bare";

/**
 * Layout of the page: `handle = { shell: "wide" }` asks for more width, and checkout has no side
 * columns.
 */
function useFrame(): Frame {
  const { pathname } = useLocation();
  const matches = useMatches();
  const asked = matches.map((match) => shellOf(match.handle)).findLast((shell) => shell !== null);
  if (asked) return asked;
  if (pathname.startsWith("/checkout")) return "bare";
  return /^\/(settings|admin|analytics)(\/|$)/.test(pathname) ? "wide" : "column";
}

function shellOf(handle: unknown): Frame | null {
  if (typeof handle !== "object" || handle === null || !("shell" in handle)) return null;
  return handle.shell === "wide" || handle.shell === "bare" || handle.shell === "column"
    ? handle.shell
    : null;
}

/** Shell of every member page: bar and bell on a phone, rail and side column on a desktop. */
export function MemberShell({
  member,
  acting,
  unread: unreadFromPage,
  money,
  people,
  flash,
  children,
}: MemberShellProps) {
  const frame = useFrame();
  const unread = useUnread(unreadFromPage);
  useUnreadMarks(unread);
  useInstalledApp();
  const pending = usePending();
  if (frame === "bare") return <BareShell flash={flash}>{children}</BareShell>;
  return (
    <>
      <SkipLink />
      <PhoneTop unread={unread} />
      <div
        className={`mx-auto grid w-full print:block max-w-[1304px] grid-cols-[minmax(0,1fr)] lg:gap-6 lg:px-4 xl:gap-8 wide:gap-9 ${
          frame === "wide"
            ? "lg:grid-cols-[72px_minmax(0,1fr)] xl:grid-cols-[216px_minmax(0,1fr)] wide:grid-cols-[232px_minmax(0,1fr)]"
            : "lg:grid-cols-[72px_minmax(0,640px)_minmax(0,1fr)] xl:grid-cols-[216px_minmax(0,640px)_minmax(0,1fr)] wide:grid-cols-[232px_minmax(0,640px)_minmax(320px,1fr)]"
        }`}
      >
        <Rail member={member} acting={acting} unread={unread} />
        <main
          id="conteudo"
          tabIndex={-1}
          aria-busy={pending !== null}
          className={`min-w-0 px-4 pt-3 pb-28 outline-none transition-opacity duration-150 lg:px-0 lg:py-6 ${pending?.isSamePage ? "opacity-60" : ""}`}
        >
          <FlashToast flash={flash} />
          <ActingNotice acting={acting} />
          <PendingPage pending={pending}>{children}</PendingPage>
          <PrintedAddress />
        </main>
        {frame === "wide" ? null : <Sidebar money={money} people={people} />}
      </div>
      <PhoneBar acting={acting} />
      <PaletteKeys person={{ ...acting, isModerator: member.isModerator }} />
    </>
  );
}
