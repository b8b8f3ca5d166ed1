/**
 * The partition number for rows moved from an embedded store, whose log has no counterpart in Kafka. No topic has this
 * number: nobody resumes there, and repeated deliveries are repeats of it.
 */
export const movedPartition = 4_294_967_295
