import type { ReactNode } from "react";

/**
 * Checkout layout: one column, with the receipt beside it on a desktop. On a phone, `summaryFirst`
 * places the receipt.
 */
export function CheckoutFrame({
  children,
  summary,
  summaryFirst = true,
}: {
  children: ReactNode;
  summary: ReactNode;
  summaryFirst?: boolean;
}) {
  return (
    <div className="group/checkout grid w-full max-w-[64rem] gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-10">
      <div
        className={`flex min-w-0 flex-col gap-5 ${summaryFirst ? "order-2" : "order-1"} lg:order-1`}
      >
        {children}
      </div>
      <aside className={`${summaryFirst ? "order-1" : "order-2"} min-w-0 lg:order-2 lg:pt-1`}>
        {summary}
      </aside>
    </div>
  );
}
