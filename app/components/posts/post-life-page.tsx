import type { ReactNode } from "react";
import { LifePage } from "#app/components/shell/life-page.tsx";

type PostLifePageProps = {
  heading: string;
  post: { id: string; title: string };
  means: string;
  button: ReactNode;
  message: string | null | undefined;
};

/** Asks once more before a post is deleted, taken down or brought back, and says what that means. */
export function PostLifePage({ post, ...page }: PostLifePageProps) {
  return <LifePage {...page} title={post.title || "Sem título"} backTo={`/post/${post.id}`} />;
}
