import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { createContext, lazy, Suspense, useContext, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { MINUTE_MS, SECOND_MS } from "#app/domain/time.ts";
import { authorization } from "#app/components/clerk/clerk-browser.ts";
import type { ClerkSettings } from "#app/lib/clerk.ts";
import { readShape } from "#app/lib/json-shape.ts";

/** The profile of the spec, section 3, as `GET /api/v1/users/me` returns it. */
const CURRENT_USER = {
  id: "string",
  name: "string",
  email: "string",
  avatarUrl: "string",
  username: "string",
  followersCount: "number",
  postsCount: "number",
  bio: "string",
  bannerUrl: "string",
  isFollowing: "boolean",
} as const;
type CurrentUser = ReturnType<typeof readShape<typeof CURRENT_USER>>;

type CurrentUserState = { user: CurrentUser | null; isLoading: boolean };

const CurrentUserContext = createContext<CurrentUserState>({ user: null, isLoading: false });

const FRESH_MS = 10 * SECOND_MS;
const CACHED_MS = 5 * MINUTE_MS;
const FIRST_RETRY_DELAY_MS = SECOND_MS;
const LONGEST_RETRY_DELAY_MS = 30 * SECOND_MS;

/** Delay before a retry: 1 s, 2 s, 4 s … at most 30 s. Source: spec, section 9. */
export function retryDelayMs(attempt: number): number {
  return Math.min(FIRST_RETRY_DELAY_MS * 2 ** attempt, LONGEST_RETRY_DELAY_MS);
}

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: 3, staleTime: FRESH_MS, gcTime: CACHED_MS, retryDelay: retryDelayMs },
    },
  });
}

const Devtools = lazy(async () => {
  const { ReactQueryDevtools } = await import("@tanstack/react-query-devtools");
  return { default: ReactQueryDevtools };
});

type QueryCacheProps = {
  children: ReactNode;
  signedIn: boolean;
  clerk: ClerkSettings | null;
  devtools: boolean;
};

/** Provides the query cache and loads the signed-in member once. */
export function QueryCache({ children, signedIn, clerk, devtools }: QueryCacheProps) {
  const [client] = useState(newQueryClient);
  return (
    <QueryClientProvider client={client}>
      <CurrentUserProvider signedIn={signedIn} clerk={clerk}>
        {children}
      </CurrentUserProvider>
      {devtools ? (
        <Suspense fallback={null}>
          <Devtools initialIsOpen={false} />
        </Suspense>
      ) : null}
    </QueryClientProvider>
  );
}

function CurrentUserProvider({ children, signedIn, clerk }: Omit<QueryCacheProps, "devtools">) {
  const { data, isPending } = useQuery({
    queryKey: ["users", "me"],
    queryFn: ({ signal }) => loadCurrentUser(clerk, signal),
    enabled: signedIn,
    retry: 1,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const state = useMemo(
    () => ({ user: signedIn ? (data ?? null) : null, isLoading: signedIn && isPending }),
    [data, isPending, signedIn],
  );
  return <CurrentUserContext value={state}>{children}</CurrentUserContext>;
}

async function loadCurrentUser(
  clerk: ClerkSettings | null,
  signal: AbortSignal,
): Promise<CurrentUser> {
  const answer = await fetch("/api/v1/users/me", {
    signal,
    headers: { Accept: "application/json", ...(await authorization(clerk)) },
  });
  if (!answer.ok) throw new Error(`GET /users/me answered ${answer.status}`);
  return readShape(await answer.json(), CURRENT_USER);
}

/**
 * The signed-in member, and whether it is still loading.
 *
 * @public The app context of the spec, section 3; no component asks for it yet.
 */
export function useCurrentUser(): CurrentUserState {
  return useContext(CurrentUserContext);
}
