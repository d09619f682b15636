import type { ReactNode } from "react";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";

type PostLifePageProps = {
  heading: string;
  post: { id: string; title: string };
  means: string;
  button: ReactNode;
  message: string | null | undefined;
};

/** Asks once more before a post is deleted, taken down or brought back, and says what that means. */
export function PostConfirmationPage({ post, ...page }: PostLifePageProps) {
  return (
    <ConfirmationPage {...page} title={post.title || "Sem título"} backTo={`/post/${post.id}`} />
  );
}
