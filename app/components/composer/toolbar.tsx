import { Bold, Heading2, ImagePlus, Italic, Link2, List, ListOrdered, Quote } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { useRef } from "react";
import type { KeyboardEvent, RefObject } from "react";
import { ACCEPTED_IMAGES } from "#app/domain/media/rules/limits.ts";
import { applyMarkTo } from "./markdown-marks.ts";
import type { Mark } from "./markdown-marks.ts";

const TOOLS: { mark: Mark; label: string; Icon: LucideIcon; key?: string }[] = [
  { mark: "strong", label: "Negrito", Icon: Bold, key: "b" },
  { mark: "emphasis", label: "Itálico", Icon: Italic, key: "i" },
  { mark: "link", label: "Link", Icon: Link2, key: "k" },
  { mark: "heading", label: "Cabeçalho", Icon: Heading2 },
  { mark: "quote", label: "Citação", Icon: Quote },
  { mark: "list", label: "Lista", Icon: List },
  { mark: "numbers", label: "Lista numerada", Icon: ListOrdered },
];

const TOOL = "inline-flex size-11 items-center justify-center rounded-full hover:bg-sand";

type Area = RefObject<HTMLTextAreaElement | null>;

/** Wraps the selection in a mark, like typed input, so that undo reverts it. */
function applyMark(area: HTMLTextAreaElement, mark: Mark): void {
  const { from, to, text, select } = applyMarkTo(
    { text: area.value, from: area.selectionStart, to: area.selectionEnd },
    mark,
  );
  area.focus();
  area.setSelectionRange(from, to);
  // Only this call keeps the browser's undo history. Without it, the text still changes.
  if (!document.execCommand("insertText", false, text)) {
    area.setRangeText(text, from, to, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
  area.setSelectionRange(select.from, select.to);
}

/** Applies the mark of Ctrl or ⌘ with B, I or K. Returns true when the key was one of them. */
export function markByKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
  const tool = TOOLS.find(({ key }) => key === event.key.toLowerCase());
  if (!tool) return false;
  event.preventDefault();
  applyMark(event.currentTarget, tool.mark);
  return true;
}

/** Toolbar with a single tab stop; arrow keys move inside (toolbar pattern of WAI-ARIA). */
export function Toolbar({
  area,
  addPictures,
}: {
  area: Area;
  addPictures: (files: Iterable<File>) => void;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const walk = (event: KeyboardEvent) => {
    const buttons = [...(bar.current?.querySelectorAll("button") ?? [])];
    const here = buttons.findIndex((button) => button === document.activeElement);
    const steps: Record<string, number> = {
      ArrowRight: here + 1,
      ArrowLeft: here - 1 + buttons.length,
      Home: 0,
      End: buttons.length - 1,
    };
    const step = steps[event.key];
    if (step === undefined || here < 0) return;
    event.preventDefault();
    const next = buttons[step % buttons.length];
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next?.focus();
  };
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label="Formatação"
      aria-controls="composer-content"
      onKeyDown={walk}
      className="-mx-1 flex flex-wrap"
    >
      {TOOLS.map(({ mark, label, Icon, key }, index) => (
        <button
          key={mark}
          type="button"
          tabIndex={index === 0 ? 0 : -1}
          title={key ? `${label} (Ctrl+${key.toUpperCase()})` : label}
          aria-label={label}
          aria-keyshortcuts={
            key ? `Control+${key.toUpperCase()} Meta+${key.toUpperCase()}` : undefined
          }
          onClick={() => area.current && applyMark(area.current, mark)}
          className={TOOL}
        >
          <Icon aria-hidden="true" className="size-5" />
        </button>
      ))}
      <PictureTool addPictures={addPictures} />
    </div>
  );
}

/** Chooses pictures for the place of the caret. */
function PictureTool({ addPictures }: { addPictures: (files: Iterable<File>) => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        title="Inserir imagem"
        aria-label="Inserir imagem"
        onClick={() => chooser.current?.click()}
        className={TOOL}
      >
        <ImagePlus aria-hidden="true" className="size-5" />
      </button>
      <input
        ref={chooser}
        type="file"
        multiple
        accept={ACCEPTED_IMAGES}
        aria-label="Imagens a inserir"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          addPictures(event.currentTarget.files ?? []);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
