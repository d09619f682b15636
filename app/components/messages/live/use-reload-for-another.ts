import { useEffect, useState } from "react";

/** Another account signed in meanwhile: nothing of the former one stays on the screen. */
export function useReloadForAnother(account: string): void {
  const [first] = useState(account);
  useEffect(() => {
    if (account !== first) window.location.reload();
  }, [account, first]);
}
