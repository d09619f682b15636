import type { ComponentProps, ReactNode } from "react";
import { DeletionNotice } from "#app/components/account/deletion/deletion-notice.tsx";
import { TermsNotice } from "#app/components/account/sign-in/terms-notice.tsx";
import { MemberShell } from "./member-shell.tsx";
import { useSignOutCleanup } from "./browser/use-sign-out-cleanup.ts";

type Shown = ComponentProps<typeof MemberShell>;

/** What surrounds a member's page, as `memberShell` of the server reads it. */
export type MemberSurroundings = Pick<
  Shown,
  "member" | "acting" | "unread" | "money" | "people"
> & {
  toast: Shown["flash"];
  newTermsFrom: string | null;
  leaving: ComponentProps<typeof DeletionNotice> | null;
};

/** The shell of a member's page, with the notices that stand above every page. */
export function MemberFrame({
  shell: { toast, newTermsFrom, leaving, ...shown },
  children,
}: {
  shell: MemberSurroundings;
  children: ReactNode;
}) {
  useSignOutCleanup();
  return (
    <MemberShell {...shown} flash={toast}>
      {newTermsFrom ? <TermsNotice from={newTermsFrom} /> : null}
      {leaving ? <DeletionNotice {...leaving} /> : null}
      {children}
    </MemberShell>
  );
}
