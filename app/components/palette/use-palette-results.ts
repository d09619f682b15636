import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { MINUTE_MS } from "#app/domain/time.ts";
import type { PalettePermissions } from "./palette-entries.ts";

export type FoundPerson = { username: string; name: string; avatarUrl: string | null };
export type FoundPost = { id: string; title: string; author: string };
type PaletteResults = {
  permissions: PalettePermissions;
  people: FoundPerson[];
  posts: FoundPost[];
};

const ASK_AFTER_MS = 200;
const FROM_LETTERS = 2;
const OFFLINE = "Não deu para procurar pessoas e publicações. Confira a internet.";

/**
 * People and posts for what is typed, asked for once the typing pauses, and what the person may do
 * on the page that they act for (`spaceId`).
 */
export function usePaletteResults(typed: string, spaceId: string | null) {
  const asked = usePause(typed.trim().length < FROM_LETTERS ? "" : typed.trim());
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ["palette", spaceId, asked],
    queryFn: async ({ signal }) => await resultsFor(asked, signal),
    // Of another page the permissions are others.
    placeholderData: (previous, query) => (query?.queryKey[1] === spaceId ? previous : undefined),
    staleTime: MINUTE_MS,
    // The next letter asks again.
    retry: false,
    refetchOnWindowFocus: false,
  });
  const isSearch = typed.trim().length >= FROM_LETTERS;
  return {
    permissions: data?.permissions ?? null,
    people: isSearch && !error ? (data?.people ?? []) : [],
    posts: isSearch && !error ? (data?.posts ?? []) : [],
    problem: isSearch && error ? error.message : null,
    isSearching:
      isSearch && (asked !== typed.trim() || (isFetching && (isPlaceholderData || !data))),
  };
}

/** `text` as it was when the typing last paused. */
function usePause(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setPaused(text), ASK_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  return paused;
}

async function resultsFor(q: string, signal: AbortSignal): Promise<PaletteResults> {
  const answer = await fetch(`/resources/palette?${new URLSearchParams({ q })}`, { signal }).catch(
    (fault: unknown) => {
      if (signal.aborted) throw fault;
      throw new Error(OFFLINE);
    },
  );
  if (answer.ok) return (await answer.json()) as PaletteResults;
  const body: unknown = await answer.json().catch(() => null);
  throw new Error(
    typeof body === "object" && body !== null && "error" in body && typeof body.error === "string"
      ? body.error
      : OFFLINE,
  );
}
