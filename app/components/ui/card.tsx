import type { ReactNode } from "react";

type CardProps = {
  children: ReactNode;
  className?: string;
  as?: "div" | "section" | "article" | "li" | "aside";
  label?: string;
  /** Position from 1 of an article in an endless feed; keys may then move to it. */
  position?: number | undefined;
};

export function Card({
  children,
  className = "p-5",
  as: Element = "div",
  label,
  position,
}: CardProps) {
  const inFeed =
    position === undefined ? {} : { "aria-posinset": position, "aria-setsize": -1, tabIndex: -1 };
  return (
    <Element
      aria-label={label}
      {...inFeed}
      className={`rounded-card border border-line bg-card ${className}`}
    >
      {children}
    </Element>
  );
}
