import { useNavigation } from "react-router";

/** Thin progress line on top while the next page loads. */
export function NavigationProgress() {
  const { state } = useNavigation();
  return (
    <div aria-hidden="true" className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5">
      <div
        className={`h-full origin-left bg-leaf transition-[transform,opacity] ease-out ${state === "idle" ? "scale-x-0 opacity-0 duration-150" : "scale-x-75 opacity-100 duration-1000"}`}
      />
    </div>
  );
}
