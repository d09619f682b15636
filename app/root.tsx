import bricolage from "@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2?url";
import figtree from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useRouteLoaderData,
} from "react-router";
import { Theme, ThemeProvider, useTheme } from "remix-themes";
import {
  MeasurementNotice,
  useMeasurementId,
} from "#app/components/shell/measurement/measurement.tsx";
import { NavigationProgress } from "#app/components/shell/navigation/navigation-progress.tsx";
import { OfflineNotice } from "#app/components/shell/browser/offline-notice.tsx";
import { PageAnnouncer } from "#app/components/shell/page-announcer.tsx";
import { PublicError } from "#app/components/shell/errors/public-error.tsx";
import { Toaster } from "#app/components/ui/toasts/toaster.tsx";
import { pathnameMiddleware } from "#app/http/url-validation.ts";
import { loadClerkBrowser } from "#app/components/clerk/clerk-browser.ts";
import type { ClerkSettings } from "#app/lib/clerk.ts";
import { clerkSettings } from "#app/lib/clerk.ts";
import {
  cloudflareContext,
  domainContext,
  incompleteMemberContext,
  viewerContext,
} from "#app/http/contexts.ts";
import { embeddedOnlyMiddleware } from "#app/http/identity/embedded-only.ts";
import { identityMiddleware } from "#app/http/identity/identity-middleware.ts";
import { originMiddleware } from "#app/http/origin.ts";
import { QueryCache } from "#app/components/shell/browser/query-client.tsx";
import { PUBLIC_SCRIPT, THEME_SCRIPT } from "#app/http/theme-script.ts";
import { rootClass, THEME_KEY, themeOf } from "#app/lib/theme.ts";
import { keepFormsOnTransportError } from "#app/components/shell/errors/transport-error.ts";
import stylesheet from "./styles/app.css?url";
import type { Route } from "./+types/root.ts";

/** Checks the origin of writes first, then whether the page exists, then the session. */
export const middleware: Route.MiddlewareFunction[] = [
  originMiddleware,
  pathnameMiddleware,
  embeddedOnlyMiddleware,
  identityMiddleware,
];

/** Keeps the typed values of a form that the server did not receive. Runs in the browser. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepFormsOnTransportError];

export const links: Route.LinksFunction = () => [
  { rel: "preload", href: figtree, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "preload", href: bricolage, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/icon-180.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

/** Reveals only whether somebody is signed in. On pages for everyone it is always false. */
export function loader({ request, context }: Route.LoaderArgs) {
  return {
    theme: themeOf(request),
    company: context.get(domainContext).settings.company,
    origin: context.get(domainContext).settings.appOrigin,
    signedIn: context.get(viewerContext) !== null,
    clerk:
      (context.get(viewerContext) ?? context.get(incompleteMemberContext)) &&
      clerkSettings(context.get(cloudflareContext).env),
    queryDevtools: context.get(cloudflareContext).env.QUERY_DEVTOOLS === "true",
    measurementId: context.get(cloudflareContext).env.ANALYTICS_MEASUREMENT_ID || null,
  };
}

/** Reloads only after an accepted form, which can sign in or out. */
export function shouldRevalidate({
  formMethod,
  actionStatus = 200,
}: {
  formMethod?: string;
  actionStatus?: number;
}): boolean {
  return formMethod !== undefined && formMethod.toUpperCase() !== "GET" && actionStatus < 400;
}

/**
 * Returns whether the page was rendered once for everyone. The first render decides: a page with
 * scripts keeps them.
 */
function useStatic(): boolean {
  const matches = useMatches();
  const [isStatic] = useState(() => matches.some((match) => isStaticHandle(match.handle)));
  return isStatic;
}

function isStaticHandle(handle: unknown): boolean {
  return (
    typeof handle === "object" && handle !== null && "static" in handle && handle.static === true
  );
}

export function Layout({ children }: { children: ReactNode }) {
  const isStatic = useStatic();
  const root = useRouteLoaderData<typeof loader>("root");
  const preference = root?.theme ?? "light";
  if (isStatic)
    return (
      <Page rootClass={rootClass(preference)} isStatic>
        {children}
      </Page>
    );
  const specified =
    preference === "system" ? null : preference === "dark" ? Theme.DARK : Theme.LIGHT;
  return (
    <ThemeProvider
      specifiedTheme={specified}
      themeAction="/resources/theme"
      disableTransitionOnThemeChange
    >
      <ThemedPage
        signedIn={root?.signedIn ?? false}
        clerk={root?.clerk ?? null}
        devtools={root?.queryDevtools ?? false}
      >
        {children}
      </ThemedPage>
    </ThemeProvider>
  );
}

type ThemedPageProps = {
  children: ReactNode;
  signedIn: boolean;
  clerk: ClerkSettings | null;
  devtools: boolean;
};

function ThemedPage({ children, signedIn, clerk, devtools }: ThemedPageProps) {
  const [theme, , { definedBy }] = useTheme();
  const preference = definedBy === "SYSTEM" ? "system" : (theme ?? "light");
  useEffect(() => {
    rememberLocally(preference);
  }, [preference]);
  useEffect(() => {
    if (clerk) void retainSession(clerk);
  }, [clerk]);
  useEffect(() => {
    if (signedIn) return;
    if ("clearAppBadge" in navigator) navigator.clearAppBadge().catch(() => undefined);
    // The installed app keeps the last start page (public/service-worker.js): it was a member's.
    if ("caches" in window) caches.delete("coreto-start").catch(() => undefined);
  }, [signedIn]);
  return (
    <Page rootClass={theme ?? ""} isStatic={false}>
      <QueryCache signedIn={signedIn} clerk={clerk} devtools={devtools}>
        <NavigationProgress />
        <PageAnnouncer />
        {children}
        <OfflineNotice />
        <Toaster theme={preference} />
      </QueryCache>
    </Page>
  );
}

/**
 * Refreshes Clerk's token, which lives for a minute: its script makes a new one in time. Without it
 * the next page redirects through Clerk's own host.
 */
async function retainSession({ publishableKey }: ClerkSettings): Promise<void> {
  try {
    await (await loadClerkBrowser()).startClerk(publishableKey);
  } catch (error) {
    console.error(
      JSON.stringify({
        event: "identity.session_not_kept",
        error: error instanceof Error ? error.name : "unknown",
      }),
    );
  }
}

/** Local storage may be off. The cookie is what counts. */
function rememberLocally(preference: string): void {
  try {
    localStorage.setItem(THEME_KEY, preference);
  } catch {
    return;
  }
}

/** Only the server writes pages for visitors: no browser loads this text twice. */
const VISITORS_SCRIPT = import.meta.env.SSR ? PUBLIC_SCRIPT : "";

type PageProps = { children: ReactNode; rootClass: string; isStatic: boolean };

function Page({ children, rootClass: className, isStatic }: PageProps) {
  const measurementId = useMeasurementId();
  return (
    <html lang="pt-BR" className={className} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content={className === "dark" ? "#0e110d" : "#fbfaf6"} />
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
        {/* With a precedence it comes before the preloads of scripts; a browser that opens few
            connections asks for it first. */}
        <link rel="stylesheet" href={stylesheet} precedence="app" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        {isStatic ? (
          <script dangerouslySetInnerHTML={{ __html: VISITORS_SCRIPT }} />
        ) : (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
        {isStatic && measurementId !== null ? <MeasurementNotice id={measurementId} /> : null}
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/**
 * Shows an error that no layout caught. It does not know the session, so it asks nobody to sign in.
 * The server has logged any fault.
 */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return (
    <>
      <title>
        {status === 404 ? "Página não encontrada · Coreto" : "Algo deu errado · Coreto"}
      </title>
      <PublicError error={error} isMember />
    </>
  );
}
