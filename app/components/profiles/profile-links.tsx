import { Link as LinkIcon, Mail } from "lucide-react";
import type { ProfileLink } from "#app/domain/profiles/rules/links.ts";

/** Links of a person to other sites. They pass no search rank and no referrer. */
export function ProfileLinks({ links, name }: { links: ProfileLink[]; name: string }) {
  if (links.length === 0) return null;
  return (
    <ul aria-label={`Links de ${name}`} className="mt-3 flex flex-wrap gap-x-5 gap-y-1">
      {links.map(({ title, url }) => {
        const Icon = url.startsWith("mailto:") ? Mail : LinkIcon;
        return (
          <li key={`${title} ${url}`} className="min-w-0">
            <a
              href={url}
              rel="me nofollow ugc noopener noreferrer"
              target="_blank"
              className="inline-flex min-h-11 max-w-full items-center gap-2 font-semibold text-leaf hover:underline"
            >
              <Icon aria-hidden="true" className="size-4 shrink-0" />
              <span className="truncate">{title}</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
