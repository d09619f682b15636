import { PostMedia } from "#app/components/posts/post-media.tsx";
import { PostText } from "#app/components/posts/post-text.tsx";
import { SensitiveCover } from "#app/components/posts/sensitive-cover.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Card } from "#app/components/ui/card.tsx";
import type { MediaItem } from "#app/domain/media/schema.ts";

/** A post as its reader will see it, from what is typed. */
export type PostInWriting = {
  author: { name: string; avatarUrl: string | null };
  audience: string;
  title: string;
  html: string;
  files: MediaItem[];
  isSensitive: boolean;
  poll: { question: string; options: string[] } | null;
};

/** Shows a post that is being written in the frame of its own page. */
export function ReaderPreview({ post }: { post: PostInWriting }) {
  const { author, audience, title, html, files, isSensitive, poll } = post;
  const isEmpty = html === "" && files.length === 0;
  return (
    <Card as="article" label={title || "Sem título"} className="flex flex-col gap-4 p-5 sm:p-6">
      <div className="flex items-center gap-3">
        <Avatar name={author.name} src={author.avatarUrl} />
        <div className="flex min-w-0 flex-col">
          <span className="leading-5 font-semibold">{author.name}</span>
          <span className="text-small text-muted">agora · {audience}</span>
        </div>
      </div>
      <h2
        dir="auto"
        className={`text-title sm:text-[2rem] sm:leading-[2.375rem] ${title ? "" : "text-muted"}`}
      >
        {title || "Sem título"}
      </h2>
      {files.length > 0 ? (
        <SensitiveCover isSensitive={isSensitive}>
          <PostMedia media={files} />
        </SensitiveCover>
      ) : null}
      {isEmpty ? (
        <p className="text-muted">Escreva, e o texto aparece aqui como será lido.</p>
      ) : (
        <PostText html={html} className="text-[1.0625rem] leading-7" />
      )}
      {poll ? (
        <div className="flex flex-col gap-2 rounded-field border border-line p-4">
          <p className="font-semibold">{poll.question}</p>
          <ul className="flex flex-col gap-2">
            {poll.options.map((option) => (
              <li key={option} className="rounded-field border border-edge px-4 py-2.5">
                {option}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </Card>
  );
}
