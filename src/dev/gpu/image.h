/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Textures and surfaces on the card, for the process that works with it. A card has storage of its
 * own for images, in an order that only it knows. Before a launch each image is filled from its
 * array, and after the launch a surface's array is filled from its image.
 */
#ifndef DEV_GPU_IMAGE_H
#define DEV_GPU_IMAGE_H

#include "dev/gpu/driver.h"
#include "dev/gpu/wire.h"

struct gpu_image {
    uint64_t handle;
    bool surface;
    void *storage;        /* NULL: the texture reads the array itself */
    struct copy_box fill; /* from the array to the storage */
};

struct gpu_images {
    struct gpu_image *all;
    size_t count, capacity;
};

/* All return the driver's status. */
int gpu_image_make(const struct driver *, struct gpu_images *, const struct gpu_texture *,
                   uint64_t *handle);
int gpu_image_drop(const struct driver *, struct gpu_images *, uint64_t handle);
int gpu_images_fill(const struct driver *, const struct gpu_images *, void *stream);
int gpu_images_return(const struct driver *, const struct gpu_images *, void *stream);

#endif
