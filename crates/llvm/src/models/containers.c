/* What containers of libstdc++ have outside of its headers: trees, hash tables and lists. Names are those that the compiler gives.
 *
 * Trees are not balanced, and hashes are others than those of the library: nobody can tell but by the time that it takes and by the order
 * of what has none. Programs are made to run with these, too, so that trees and tables have the same shape here and there. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define NAMED(name) __asm__(#name)
#define OUTLINE __attribute__((noinline))

/* A node of a tree. The header has the root as its parent, and the first and the last node; it alone is red. */
struct node {
  int color;
  struct node *parent, *left, *right;
};

enum { RED, BLACK };

static struct node *first_of(struct node *at) {
  while (at->left)
    at = at->left;
  return at;
}

static struct node *last_of(struct node *at) {
  while (at->right)
    at = at->right;
  return at;
}

OUTLINE struct node *tree_next(struct node *at) NAMED(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base);
OUTLINE struct node *tree_next(struct node *at) {
  if (at->right)
    return first_of(at->right);
  struct node *above = at->parent;
  while (at == above->right) {
    at = above;
    above = at->parent;
  }
  /* From a root without a right side, which is the last, to the header, whose last it is. */
  return at->right == above ? at : above;
}

struct node *tree_next_const(struct node *at) NAMED(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base);
struct node *tree_next_const(struct node *at) { return tree_next(at); }

OUTLINE struct node *tree_previous(struct node *at) NAMED(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base);
OUTLINE struct node *tree_previous(struct node *at) {
  if (at->color == RED)
    return at->right;
  if (at->left)
    return last_of(at->left);
  struct node *above = at->parent;
  while (at == above->left) {
    at = above;
    above = at->parent;
  }
  return above;
}

struct node *tree_previous_const(struct node *at) NAMED(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base);
struct node *tree_previous_const(struct node *at) { return tree_previous(at); }

OUTLINE void tree_insert(_Bool left, struct node *new, struct node *above, struct node *header)
    NAMED(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_);
OUTLINE void tree_insert(_Bool left, struct node *new, struct node *above, struct node *header) {
  new->color = BLACK;
  new->parent = above;
  new->left = NULL;
  new->right = NULL;
  if (above == header) {
    header->parent = new;
    header->left = new;
    header->right = new;
  } else if (left) {
    above->left = new;
    if (above == header->left)
      header->left = new;
  } else {
    above->right = new;
    if (above == header->right)
      header->right = new;
  }
}

/* Puts what may be nothing in the place of a node. */
static void tree_replace(struct node *old, struct node *new, struct node *header) {
  if (header->parent == old)
    header->parent = new;
  else if (old->parent->left == old)
    old->parent->left = new;
  else
    old->parent->right = new;
  if (new)
    new->parent = old->parent;
}

OUTLINE struct node *tree_erase(struct node *old, struct node *header)
    NAMED(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_);
OUTLINE struct node *tree_erase(struct node *old, struct node *header) {
  if (!old->left) {
    tree_replace(old, old->right, header);
  } else if (!old->right) {
    tree_replace(old, old->left, header);
  } else {
    struct node *next = first_of(old->right);
    if (next->parent != old) {
      tree_replace(next, next->right, header);
      next->right = old->right;
      next->right->parent = next;
    }
    tree_replace(old, next, header);
    next->left = old->left;
    next->left->parent = next;
  }
  header->left = header->parent ? first_of(header->parent) : header;
  header->right = header->parent ? last_of(header->parent) : header;
  return old;
}

/* When a hash table gets more buckets. Other factors than one are not known. */
struct policy {
  float most_per_bucket;
  size_t grows_at;
};

struct growth {
  _Bool grows;
  size_t buckets;
};

static void check_factor(const struct policy *policy) {
  uint32_t bits;
  memcpy(&bits, &policy->most_per_bucket, sizeof bits);
  if (bits != 0x3f800000)
    /* The analysis does not follow assembler, and so comes no further. */
    __asm__ volatile("# a hash table with a load factor");
}

static _Bool is_prime(size_t number) {
  for (size_t factor = 2; factor * factor <= number; factor++)
    if (number % factor == 0)
      return 0;
  return 1;
}

OUTLINE size_t next_buckets(struct policy *policy, size_t least)
    NAMED(_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm);
OUTLINE size_t next_buckets(struct policy *policy, size_t least) {
  check_factor(policy);
  if (least == 0)
    return 1;
  size_t buckets = least < 2 ? 2 : least;
  while (!is_prime(buckets))
    buckets++;
  policy->grows_at = buckets;
  return buckets;
}

OUTLINE struct growth need_rehash(struct policy *policy, size_t buckets, size_t elements, size_t more)
    NAMED(_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm);
OUTLINE struct growth need_rehash(struct policy *policy, size_t buckets, size_t elements, size_t more) {
  check_factor(policy);
  struct growth growth = {0, 0};
  size_t needed = elements + more;
  if (needed <= policy->grows_at)
    return growth;
  if (policy->grows_at == 0 && needed < 11)
    needed = 11;
  if (needed < buckets) {
    policy->grows_at = buckets;
    return growth;
  }
  growth.grows = 1;
  growth.buckets = next_buckets(policy, needed + 1 < 2 * buckets ? 2 * buckets : needed + 1);
  return growth;
}

OUTLINE size_t hash_bytes(const void *bytes, size_t size, size_t seed) NAMED(_ZSt11_Hash_bytesPKvmm);
OUTLINE size_t hash_bytes(const void *bytes, size_t size, size_t seed) {
  size_t hash = seed;
  for (size_t at = 0; at < size; at++)
    hash = hash * 31 + ((const unsigned char *)bytes)[at];
  return hash;
}

/* A node of a list, which is a ring with a node that stands for its end. */
struct link {
  struct link *next, *previous;
};

void list_hook(struct link *new, struct link *before) NAMED(_ZNSt8__detail15_List_node_base7_M_hookEPS0_);
void list_hook(struct link *new, struct link *before) {
  new->next = before;
  new->previous = before->previous;
  before->previous->next = new;
  before->previous = new;
}

void list_unhook(struct link *old) NAMED(_ZNSt8__detail15_List_node_base9_M_unhookEv);
void list_unhook(struct link *old) {
  old->previous->next = old->next;
  old->next->previous = old->previous;
}

/* Puts those from one up to another, without it, before a third. */
void list_transfer(struct link *before, struct link *from, struct link *to)
    NAMED(_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_);
void list_transfer(struct link *before, struct link *from, struct link *to) {
  if (before == to || from == to)
    return;
  struct link *last = to->previous;
  from->previous->next = to;
  to->previous = from->previous;
  before->previous->next = from;
  from->previous = before->previous;
  last->next = before;
  before->previous = last;
}
