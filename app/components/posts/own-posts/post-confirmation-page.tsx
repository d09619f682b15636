import type { ReactNode } from "react";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";

type PostLifePageProps = {
  heading: string;
  post: { id: string; title: string };
  means: string;
  button: ReactNode;
  message: string | null | undefined;
};

/** Asks for confirmation before a post is deleted, taken down or restored. Explains the effect. */
export function PostConfirmationPage({ post, ...page }: PostLifePageProps) {
  return (
    <ConfirmationPage {...page} title={post.title || "Sem título"} backTo={`/post/${post.id}`} />
  );
}
