import type { ComponentProps } from "react";
import { Link } from "react-router";

export type ButtonVariant = "primary" | "outline" | "ink" | "ghost" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

type Look = { variant?: ButtonVariant; size?: ButtonSize; className?: string };

const SHAPE =
  "relative inline-flex items-center justify-center gap-2 rounded-full text-center font-semibold text-balance no-underline transition-[background-color,border-color,opacity] duration-150 ease-out select-none disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:opacity-50";

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "bg-signal text-on-signal hover:bg-signal-strong",
  outline: "border border-line bg-card text-ink hover:border-edge",
  ink: "bg-ink text-paper hover:opacity-90",
  ghost: "text-ink hover:bg-sand",
  danger: "bg-refusal text-on-refusal hover:opacity-90",
};

// A small button looks 40 pixels high, but its touch target has 44.
const SIZES: Record<ButtonSize, string> = {
  sm: "min-h-10 px-4 text-small after:absolute after:inset-x-0 after:-inset-y-0.5",
  md: "min-h-11 px-5 text-body leading-5",
  lg: "min-h-12 px-7 text-body leading-5",
};

function look({ variant = "primary", size = "md", className = "" }: Look): string {
  return `${SHAPE} ${VARIANTS[variant]} ${SIZES[size]} ${className}`;
}

export function Button({
  variant,
  size,
  className,
  type = "submit",
  ...props
}: Look & ComponentProps<"button">) {
  return <button type={type} className={look({ variant, size, className })} {...props} />;
}

/** Link that looks like a button: for navigation, never for actions. */
export function ButtonLink({
  variant,
  size,
  className,
  ...props
}: Look & ComponentProps<typeof Link>) {
  return <Link className={look({ variant, size, className })} {...props} />;
}
