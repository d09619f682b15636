import { useLocation, useRouteLoaderData } from "react-router";

/** The address of the page, on paper only. */
export function PrintedAddress() {
  const { pathname, search } = useLocation();
  const root = useRouteLoaderData<{ origin: string }>("root");
  return (
    <p className="hidden pt-6 text-small wrap-anywhere print:block">
      {root?.origin}
      {pathname}
      {search}
    </p>
  );
}
