import type { ReactNode } from "react";

type CardProps = { children: ReactNode; className?: string; as?: "div" | "section" | "article" | "li" | "aside"; label?: string };

export function Card({ children, className = "p-5", as: Element = "div", label }: CardProps) {
  return (
    <Element aria-label={label} className={`rounded-card border border-line bg-card ${className}`}>
      {children}
    </Element>
  );
}
