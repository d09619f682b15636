import { Link } from "react-router";
import { ACTION_MENU_ITEM, ActionMenu } from "#app/components/ui/action-menu.tsx";
import type { PostPreview } from "#app/domain/posts/schema.ts";

/** What a reader does less often with a post of somebody else. */
export function PostMenu({ post }: { post: Pick<PostPreview, "id" | "title"> }) {
  return (
    <ActionMenu label={`Mais sobre ${post.title}`}>
      <Link to={`/post/${post.id}/mute`} className={ACTION_MENU_ITEM}>
        Avisos da publicação
      </Link>
      <Link to={`/report/post/${post.id}`} className={ACTION_MENU_ITEM}>
        Denunciar
      </Link>
    </ActionMenu>
  );
}
