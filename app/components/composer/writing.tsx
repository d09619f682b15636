import type { ClipboardEvent, RefObject } from "react";
import type { PictureTaker } from "#app/components/media/media-picker.tsx";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { MentionList } from "#app/components/mentions/mention-list.tsx";
import type { Mentionable } from "#app/components/mentions/use-mentions.ts";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import { pictureMarkdown } from "#app/domain/posts/rules/pictures.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { CONTENT_MAX, TITLE_MAX } from "#app/domain/posts/schema.ts";
import type { FieldsProps } from "./access-fields.tsx";
import { markByKey, Toolbar } from "./toolbar.tsx";

type WritingProps = FieldsProps & {
  area: RefObject<HTMLTextAreaElement | null>;
  pictures: RefObject<PictureTaker | null>;
};

/** The page to write on: a title and the text, with tools where there is JavaScript. */
export function Writing({ values, errors, area, pictures }: WritingProps) {
  const isAwake = useHydrated();
  /** A pasted picture goes into the text, and not to the browser. */
  const takePasted = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files].filter(({ type }) => type.startsWith("image/"));
    if (files.length === 0) return;
    event.preventDefault();
    pictures.current?.addToText(files);
  };
  return (
    <div className="relative flex flex-col gap-4">
      <TextArea
        look="title"
        label="Título"
        placeholder="Título"
        name="title"
        rows={1}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          area.current?.focus();
        }}
        defaultValue={values["title"]}
        error={errors["title"]}
        required
        limit={TITLE_MAX}
        autoComplete="off"
        dir="auto"
      />
      {/* The toolbar has its place before the script starts: nothing below it moves then. */}
      <div className="z-10 border-y border-line bg-card noscript:hidden lg:sticky lg:top-0">
        {isAwake ? (
          <Toolbar area={area} addPictures={(files) => pictures.current?.addToText(files)} />
        ) : (
          <div className="h-11" />
        )}
      </div>
      <TextArea
        ref={area}
        id="composer-content"
        look="page"
        label="Texto"
        placeholder="Escreva aqui…"
        name="content"
        rows={12}
        defaultValue={values["content"]}
        error={errors["content"]}
        required
        limit={CONTENT_MAX}
        onKeyDown={markByKey}
        onPaste={takePasted}
        dir="auto"
        hint="Vale Markdown: **negrito**, *itálico*, # título, - lista, > citação. Um endereço do YouTube ou do Vimeo sozinho na linha vira vídeo."
      />
      <MentionList area={area} textOf={linkTo} />
    </div>
  );
}

/** A person in the text of a post is a link to their page. */
const linkTo = ({ username }: Mentionable): string =>
  `[@${username}](${window.location.origin}/@${username})`;

/**
 * Puts an uploaded picture where the caret is, on a line of its own. While the author types, it is
 * as typed input, so that undo reverts it.
 */
export function insertPicture(area: HTMLTextAreaElement, media: MediaItem): void {
  const { value, selectionStart, selectionEnd } = area;
  const before = value.slice(0, selectionStart);
  const gap = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const text = `${gap}${pictureMarkdown(media)}\n\n`;
  const isTyping = document.activeElement === area;
  if (isTyping && document.execCommand("insertText", false, text)) return;
  area.setRangeText(text, selectionStart, selectionEnd, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
