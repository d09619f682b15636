import type { Context } from "#app/domain/context.ts";
import { searchTerms } from "#app/lib/full-text.ts";
import type { ExploreRequest, FoundCreator } from "./schema.ts";
import {
  exactCreatorStatement,
  foundPage,
  foundPeopleStatement,
  nearPeople,
} from "#app/domain/discovery/queries/people.server.ts";
import {
  filterOf,
  postsWindow,
  windowPage,
  windowStatements,
} from "#app/domain/discovery/queries/posts.server.ts";
import { suggestedSearch } from "#app/domain/discovery/queries/suggestions.server.ts";
import type { Page } from "#app/domain/page.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import { creatorsPage, creatorsStatement } from "#app/domain/profiles/queries/creators.server.ts";

const PEOPLE_SHOWN = 6;
const PEOPLE_PER_PAGE = 24;
const POSTS_PER_PAGE = 10;
/** With fewer people found, similar names are searched too. */
const FEW_PEOPLE = 3;

export type ExploreResults = {
  people: Page<FoundCreator>;
  near: FoundCreator[];
  posts: Page<PostPreview>;
  /** The search as it may have been meant, which finds something; null if this one does. */
  suggestion: string | null;
};

/**
 * Reads what `/explore` shows: people and posts of a kind, trending or new, or those that match a
 * search. Takes one round trip; a second for misspelled names; two more where nothing was found.
 */
export async function loadExplore(ctx: Context, asked: ExploreRequest): Promise<ExploreResults> {
  const terms = searchTerms(asked.q);
  if (asked.q !== "" && terms.length === 0) return EMPTY;
  const peopleLimit =
    asked.show === "people"
      ? PEOPLE_PER_PAGE
      : asked.cursor === null && asked.show === "all"
        ? PEOPLE_SHOWN
        : 0;
  const postsLimit = asked.show === "people" ? 0 : POSTS_PER_PAGE;
  const listing = { ...asked, cursor: asked.show === "people" ? asked.cursor : null };
  const [people, exact, hits, ends, rows] = await ctx.db.batch([
    terms.length > 0
      ? foundPeopleStatement(ctx, { ...listing, terms, limit: peopleLimit })
      : creatorsStatement(ctx, { ...listing, limit: peopleLimit }),
    exactCreatorStatement(ctx, { ...listing, limit: terms.length > 0 && peopleLimit > 0 ? 1 : 0 }),
    ...windowStatements(ctx, {
      window: postsWindow(ctx, asked, terms),
      filter: filterOf(ctx, asked, terms),
      viewerId: asked.viewerId,
      limit: postsLimit,
    }),
  ]);
  const shown =
    peopleLimit === 0
      ? EMPTY.people
      : terms.length > 0
        ? foundPage(people, exact, peopleLimit)
        : creatorsPage(people, peopleLimit);
  const posts =
    postsLimit === 0
      ? EMPTY.posts
      : windowPage(ctx, { hits, ends, rows, viewerId: asked.viewerId, limit: postsLimit });
  const isFirstSearch = terms.length > 0 && asked.cursor === null;
  const mayBeMisspelled = isFirstSearch && peopleLimit > 0 && shown.items.length < FEW_PEOPLE;
  const isNothing = isFirstSearch && shown.items.length === 0 && posts.items.length === 0;
  const [near, suggestion] = await Promise.all([
    mayBeMisspelled ? nearPeople(ctx, asked, terms, shown) : [],
    isNothing ? suggestedSearch(ctx, asked, terms) : null,
  ]);
  return { people: shown, near, posts, suggestion };
}

const EMPTY: ExploreResults = {
  people: { items: [], next: null },
  near: [],
  posts: { items: [], next: null },
  suggestion: null,
};
