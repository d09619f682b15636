import {
  buildClerkJSScriptAttributes,
  clerkJSScriptUrl,
  clerkUIScriptUrl,
} from "@clerk/shared/loadClerkJsScript";
import type { BrowserClerk } from "@clerk/shared/types";
import type { ClerkUIConstructor } from "@clerk/shared/ui";
import { loginPath, registerPath } from "#app/lib/own-path.ts";
import { appearance } from "./appearance.ts";
import { clerkLocalization } from "./words.ts";

declare global {
  /** Clerk's scripts define these globals. */
  interface Window {
    Clerk?: BrowserClerk;
    __internal_ClerkUICtor?: ClerkUIConstructor;
  }
}

/** Clerk screens that the product shows. */
export type ClerkScreenName =
  | "sign-in"
  | "sign-up"
  | "profile"
  | "team-switcher"
  | "team-list"
  | "team-create"
  | "team-profile";

export type MountedScreen = {
  name: ClerkScreenName;
  node: HTMLDivElement;
  to: string;
  navigate: (path: string, replace: boolean) => void;
};

let started: Promise<BrowserClerk> | null = null;
/** Navigation used by Clerk's screens. An open screen replaces it with the router's. */
let goTo = (path: string): void => window.location.assign(path);
/**
 * Code of Clerk's screens, loaded only for the first screen. A page that only maintains a session
 * does without it.
 */
const screensCode = Promise.withResolvers<ClerkUIConstructor>();

/**
 * Starts Clerk-js once per document. It renews the session token by itself. Rejects when Clerk
 * cannot be reached.
 */
export function startClerk(publishableKey: string): Promise<BrowserClerk> {
  started ??= start(publishableKey).catch((error: unknown) => {
    started = null;
    throw error;
  });
  return started;
}

async function start(publishableKey: string): Promise<BrowserClerk> {
  await loadScript(clerkJSScriptUrl({ publishableKey }), publishableKey);
  const clerk = window.Clerk;
  if (!clerk) throw new Error("clerk-js left nothing behind");
  const atStart = appearance();
  const options: LoadOptions = {
    ui: { ClerkUI: screensCode.promise },
    localization: clerkLocalization,
    appearance: atStart,
    signInUrl: "/auth/login",
    signUpUrl: "/auth/register",
    afterSignOutUrl: "/auth/login",
    routerPush: (path) => goTo(path),
    routerReplace: (path) => goTo(path),
    telemetry: { disabled: true },
    nonce: documentNonce(),
  };
  await clerk.load(options);
  followTheme(clerk, atStart);
  return clerk;
}

/** Clerk's own styles carry this nonce, as the policy of the document asks. Clerk's types omit it. */
type LoadOptions = Parameters<BrowserClerk["load"]>[0] & { nonce: string | undefined };

/** Returns the nonce of the document, which every script of the framework carries. */
function documentNonce(): string | undefined {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
}

/** Mounts one of Clerk's screens in `node` and returns a function that unmounts it. */
export async function mountScreen(
  publishableKey: string,
  { name, node, to, navigate }: MountedScreen,
): Promise<() => void> {
  const [clerk] = await Promise.all([startClerk(publishableKey), loadScreens(publishableKey)]);
  const { home, mount, unmount } = SCREENS[name];
  // The screen's sub-paths stay in this document. Every other path loads a new document, so that
  // the server answers for the current session.
  goTo = (path) =>
    home !== null && isBelow(home, path) ? navigate(path, false) : window.location.assign(path);
  mount(clerk, node, to);
  return () => unmount(clerk, node);
}

type Screen = {
  /** The path below which the screen has its own pages. */
  home: string | null;
  mount(clerk: BrowserClerk, node: HTMLDivElement, to: string): void;
  unmount(clerk: BrowserClerk, node: HTMLDivElement): void;
};

const TEAMS = "/settings/teams";
const MANAGE_TEAM = `${TEAMS}/manage`;

const SCREENS: Record<ClerkScreenName, Screen> = {
  "sign-in": {
    home: null,
    mount: (clerk, node, to) =>
      clerk.mountSignIn(node, {
        routing: "hash",
        fallbackRedirectUrl: to,
        signUpUrl: registerPath(to),
      }),
    unmount: (clerk, node) => clerk.unmountSignIn(node),
  },
  "sign-up": {
    home: null,
    mount: (clerk, node, to) =>
      clerk.mountSignUp(node, {
        routing: "hash",
        fallbackRedirectUrl: to,
        signInUrl: loginPath(to),
      }),
    unmount: (clerk, node) => clerk.unmountSignUp(node),
  },
  profile: {
    home: "/auth/account",
    mount: (clerk, node) =>
      clerk.mountUserProfile(node, { routing: "path", path: "/auth/account" }),
    unmount: (clerk, node) => clerk.unmountUserProfile(node),
  },
  "team-switcher": {
    home: null,
    mount: (clerk, node) =>
      clerk.mountOrganizationSwitcher(node, {
        hidePersonal: true,
        createOrganizationMode: "navigation",
        createOrganizationUrl: `${TEAMS}/create`,
        organizationProfileMode: "navigation",
        organizationProfileUrl: MANAGE_TEAM,
        afterSelectOrganizationUrl: MANAGE_TEAM,
      }),
    unmount: (clerk, node) => clerk.unmountOrganizationSwitcher(node),
  },
  "team-list": {
    home: null,
    mount: (clerk, node) =>
      clerk.mountOrganizationList(node, {
        hidePersonal: true,
        skipInvitationScreen: true,
        afterSelectOrganizationUrl: MANAGE_TEAM,
        afterCreateOrganizationUrl: MANAGE_TEAM,
      }),
    unmount: (clerk, node) => clerk.unmountOrganizationList(node),
  },
  "team-create": {
    home: `${TEAMS}/create`,
    mount: (clerk, node) =>
      clerk.mountCreateOrganization(node, {
        routing: "hash",
        skipInvitationScreen: true,
        afterCreateOrganizationUrl: MANAGE_TEAM,
      }),
    unmount: (clerk, node) => clerk.unmountCreateOrganization(node),
  },
  "team-profile": {
    home: MANAGE_TEAM,
    mount: (clerk, node) =>
      clerk.mountOrganizationProfile(node, {
        routing: "path",
        path: MANAGE_TEAM,
        afterLeaveOrganizationUrl: TEAMS,
      }),
    unmount: (clerk, node) => clerk.unmountOrganizationProfile(node),
  },
};

async function loadScreens(publishableKey: string): Promise<void> {
  if (!window.__internal_ClerkUICtor)
    await loadScript(clerkUIScriptUrl({ publishableKey }), publishableKey);
  if (!window.__internal_ClerkUICtor) throw new Error("Clerk's screens left nothing behind");
  screensCode.resolve(window.__internal_ClerkUICtor);
}

/**
 * Loads a script once. Clerk's own loader retries for fifteen seconds before it reports a failure;
 * here the person decides to retry.
 */
function loadScript(src: string, publishableKey: string): Promise<void> {
  const script = document.createElement("script");
  script.src = src;
  script.crossOrigin = "anonymous";
  for (const [name, value] of Object.entries(buildClerkJSScriptAttributes({ publishableKey })))
    script.setAttribute(name, value);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  script.addEventListener("load", () => resolve());
  script.addEventListener("error", () => {
    script.remove();
    reject(new Error("a script of Clerk's did not load"));
  });
  document.head.appendChild(script);
  return promise;
}

/** Token of the JWT template for our API; null when signed out. Rejects when Clerk issues none. */
export async function templateToken(
  publishableKey: string,
  template: string,
): Promise<string | null> {
  const clerk = await startClerk(publishableKey);
  return (await clerk.session?.getToken({ template })) ?? null;
}

function isBelow(home: string, path: string): boolean {
  const { pathname } = new URL(path, window.location.href);
  return pathname === home || pathname.startsWith(`${home}/`);
}

/**
 * Updates Clerk's logo when the theme changes, also for a change during loading. Colours are CSS
 * variables and need no update.
 */
function followTheme(clerk: BrowserClerk, atStart: ReturnType<typeof appearance>): void {
  const update = () => updateProps(clerk, { appearance: appearance() });
  if (appearance().options.logoImageUrl !== atStart.options.logoImageUrl) update();
  new MutationObserver(update).observe(document.documentElement, {
    attributes: true,
    attributeFilter: ["class"],
  });
}

/** Changes the appearance by the call that Clerk's React components use. Clerk's types omit it. */
function updateProps(clerk: BrowserClerk, props: object): void {
  if ("__internal_updateProps" in clerk && typeof clerk.__internal_updateProps === "function")
    clerk.__internal_updateProps(props);
}
