import { Avatar } from "#app/components/ui/avatar.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";

export type PreviewPlan = {
  id: string;
  name: string;
  amountCents: number;
  interval: Interval;
  isDraft: boolean;
};

export type PreviewedPage = {
  username: string;
  name: string;
  craft: string;
  city: string;
  bio: string;
  avatarUrl: string | null;
  bannerUrl: string | null;
  plans: PreviewPlan[];
  posts: { id: string; title: string }[];
};

/** A creator's page as visitors see it, made small: picture, words, plans and latest posts. */
export function PagePreview({ page }: { page: PreviewedPage }) {
  const about = [page.craft, page.city].filter(Boolean).join(" · ");
  return (
    <div className="overflow-hidden rounded-card border border-line bg-card">
      {page.bannerUrl ? (
        <img
          src={page.bannerUrl}
          alt=""
          width={320}
          height={80}
          loading="lazy"
          className="h-20 w-full bg-cloth object-cover"
        />
      ) : (
        <Bandeirinhas seed={page.username} columns={10} rows={3} className="h-20 w-full" />
      )}
      <div className="flex flex-col gap-4 px-5 pb-5">
        <div className="-mt-7 flex flex-col gap-1">
          <span className="w-fit rounded-full bg-card p-1">
            <Avatar name={page.name} src={page.avatarUrl} size="lg" />
          </span>
          <p className="text-heading font-semibold wrap-anywhere">{page.name}</p>
          <p className="text-small text-muted wrap-anywhere">
            @{page.username}
            {about ? ` · ${about}` : ""}
          </p>
          <p className="line-clamp-4 text-small whitespace-pre-line wrap-anywhere">{page.bio}</p>
        </div>
        {page.plans.length > 0 ? (
          <ul className="flex flex-col gap-2">
            {page.plans.map((plan) => (
              <li
                key={plan.id}
                className="flex flex-wrap items-baseline justify-between gap-x-3 rounded-field border border-line px-4 py-3"
              >
                <span className="font-semibold wrap-anywhere">{plan.name}</span>
                <span className="text-small text-muted">
                  <Money cents={plan.amountCents} /> {intervalLabel(plan.interval)}
                </span>
                {plan.isDraft ? <Badge tone="attention">Ainda não está à venda</Badge> : null}
              </li>
            ))}
          </ul>
        ) : (
          <Gap>Aqui entram os planos.</Gap>
        )}
        {page.posts.length > 0 ? (
          <ul className="flex flex-col gap-2">
            {page.posts.map((post) => (
              <li key={post.id} className="rounded-field bg-sand px-4 py-3 wrap-anywhere">
                {post.title}
              </li>
            ))}
          </ul>
        ) : (
          <Gap>Aqui entram as publicações.</Gap>
        )}
      </div>
    </div>
  );
}

function Gap({ children }: { children: string }) {
  return (
    <p className="rounded-field border border-dashed border-edge px-4 py-3 text-small text-muted">
      {children}
    </p>
  );
}
