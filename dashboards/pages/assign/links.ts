export function orderHref({ orderId }: { orderId: string }): string {
  return `/assign/orders/${encodeURIComponent(orderId)}`
}
