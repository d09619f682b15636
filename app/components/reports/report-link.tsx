import { loginPath } from "#app/lib/own-path.ts";

/** Link of public pages to a report form, after signing in. */
export function ReportLink({ to, of }: { to: string; of: string }) {
  return (
    <a
      href={loginPath(to)}
      rel="nofollow"
      className="inline-flex min-h-11 items-center text-small text-muted hover:text-ink hover:underline"
    >
      Denunciar<span className="sr-only">: {of}</span>
    </a>
  );
}
